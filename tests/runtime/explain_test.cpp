// Plan::explain, Plan::steps and Query::profile. The kernels that are named depend on the machine, so plans are
// compiled for the plainest one.
#include <algorithm>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tenrex/plan.h>

namespace tenrex {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<Plan> plan_of(std::string_view text, const Schema &schema) {
    CompileOptions options;
    options.max_isa = "baseline";
    return compile(text, schema, options);
}

TEST(Explain, SaysWhatHappensWhen) {
    Schema schema;
    schema.query("query(q)", "tensor<float>(x[4])").document("d", "tensor<float>(x[4])").constant("c", Tensor(2));
    const auto plan = plan_of("sum(exp(query(q)) + exp(d)) * c", schema);
    ASSERT_TRUE(plan);
    const std::string text = plan->explain();
    EXPECT_THAT(text, HasSubstr("inputs:\n"
                                "  query     query(q)  tensor<float>(x[4])\n"
                                "  document  d         tensor<float>(x[4])\n"
                                "outputs:\n"
                                "  document  double\n"));
    EXPECT_THAT(text, HasSubstr("once per query\n"));
    EXPECT_THAT(text, HasSubstr("per document\n"));
    EXPECT_THAT(text, HasSubstr("exp   baseline::exp_f"));
    EXPECT_THAT(text, HasSubstr("instruction sets: baseline\n"));
    EXPECT_THAT(text, HasSubstr("documents at a time"));
    EXPECT_THAT(text, Not(HasSubstr("chosen")));
}

TEST(Explain, TellsInTheWordsOfTheExpressionWhatIsComputedWhen) {
    Schema schema;
    schema.query("query(q)", "tensor<float>(x[4])").document("d", "tensor<float>(x[4])").document("n");
    const auto text = [&](std::string_view expression) { return plan_of(expression, schema)->explain(); };
    EXPECT_THAT(text("n +\n  sum(softmax(query(q), x) * d)"),
                HasSubstr("what is computed when:\n"
                          "  once per query     2:7  softmax(query(q), x)\n"
                          "  for each document  1:1  n + sum(softmax(query(q), x) * d)\n"
                          "constant: "));
    EXPECT_THAT(text("sum(query(q)*query(q))"), HasSubstr("what is computed when:\n"
                                                          "  once per query     1:1  sum(query(q)*query(q))\n"
                                                          "constant: "));
    EXPECT_THAT(text("n"), Not(HasSubstr("what is computed when")));
    EXPECT_THAT(text("sqrt(" + std::string(200, '-') + "n)"), HasSubstr("---...\n"));
    const auto several = compile({{"a", "n+1"}, {"b", "\n\nn+2"}}, schema, {});
    EXPECT_THAT(several->explain(), HasSubstr("what is computed when:\n"
                                              "  for each document  a 1:1  n+1\n"
                                              "  for each document  b 3:1  n+2\n"));
}

// The lines of a program, "query" or "document", that tell where its steps stand in the text.
std::string words(const Plan &plan, std::string_view program) {
    const std::string text = plan.explain();
    std::string all;
    bool is_inside = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (!line.starts_with(' ')) {
            is_inside = line.starts_with(std::string(program) + ": ");
        } else if (is_inside && line.starts_with("        ") && line[8] != ' ') {
            all += line.substr(8) + "\n";
        }
    }
    return all;
}

TEST(Explain, ShowsTheTextBesideEachStep) {
    Schema schema;
    schema.query("q", "tensor<float>(x[4])").document("d", "tensor<float>(x[4])").document("n");
    const auto two = plan_of("sqrt(n) + sum(\n  exp(q) * d)", schema);
    ASSERT_TRUE(two);
    EXPECT_EQ(words(*two, "query"), "2:3  exp(q)\n");
    EXPECT_EQ(words(*two, "document"), "1:11  sum( exp(q) * d)\n1:1   sqrt(n) + sum( exp(q) * d)\n");
    // The text of a lambda tells less than what it is given to.
    const auto lambda = plan_of("sum(map(q, f(a)(a * a + 1)) * d)", schema);
    ASSERT_TRUE(lambda);
    EXPECT_EQ(words(*lambda, "query"), "1:5  map(q, f(a)(a * a + 1))\n");
    // Columns are characters.
    const auto umlaut = plan_of("if(n == \"\u00e4\", 1, 2) * sum(exp(d))", schema);
    ASSERT_TRUE(umlaut);
    EXPECT_THAT(words(*umlaut, "document"), HasSubstr("1:22  sum(exp(d))\n"));
}

TEST(Explain, ShowsATextOfSeveralStepsOnce) {
    const auto plan = plan_of("softmax(q, x)", Schema().query("q", "tensor<float>(x{})"));
    ASSERT_TRUE(plan);
    ASSERT_GT(plan->steps(Stage::query).size(), 2U);
    std::string expected = "1:1  softmax(q, x)\n";
    for (std::size_t i = 1; i < plan->steps(Stage::query).size(); ++i) {
        expected += "1:1\n";
    }
    EXPECT_EQ(words(*plan, "query"), expected);
}

TEST(Explain, ShowsNoTextThatIsNotWritten) {
    // The body of a definition is no part of the expression.
    const auto plan = plan_of("twice", Schema().document("n").define("twice", "exp(n) * 2"));
    ASSERT_TRUE(plan);
    ASSERT_FALSE(plan->steps(Stage::document).empty());
    EXPECT_EQ(words(*plan, "document"), "");
}

TEST(Explain, CutsLongTextsAndFindsPlacesFarIntoThem) {
    std::string expression = "n";
    for (int i = 0; i < 300; ++i) {
        expression += "\n + n";
    }
    const auto plan =
        plan_of(expression + " + exp(d{x:0}) * sqrt(sum(d))", Schema().document("n").document("d", "tensor(x[4])"));
    ASSERT_TRUE(plan);
    const std::string text = words(*plan, "document");
    EXPECT_THAT(text, HasSubstr("301:27  sum(d)\n"));
    EXPECT_THAT(text, HasSubstr("1:1     n + n + n + n + n"));
    EXPECT_THAT(text, HasSubstr("n...\n"));
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
        EXPECT_LE(text.find('\n', begin) - begin, 90U);
    }
}

TEST(Explain, NamesTheCandidatesOfEachKernel) {
    const auto plan = plan_of("sum(exp(d))", Schema().document("d", "tensor(x[8])"));
    ASSERT_TRUE(plan);
    const std::string text = plan->explain({true});
    EXPECT_THAT(text, HasSubstr("chosen   baseline::exp_f64: estimated"));
    EXPECT_THAT(text, HasSubstr("not      avx2::exp_f64: needs avx2, which"));
}

TEST(Explain, CountsWork) {
    const auto dense =
        plan_of("reduce(a * b, prod)", Schema().document("a", "tensor(x[100])").document("b", "tensor(x[100])"));
    ASSERT_TRUE(dense);
    // 100 products, then 99 more counted as 100; 2 rows of 800 bytes are read, and a number is written.
    EXPECT_THAT(dense->explain(), HasSubstr("together: 200 flops, 1.6K bytes read, 8 bytes written\n"));
    EXPECT_THAT(dense->explain(), Not(HasSubstr("for each block")));

    const auto sparse = plan_of("a * 2", Schema().document("a", "tensor(k{},x[100])"));
    ASSERT_TRUE(sparse);
    EXPECT_THAT(sparse->explain(), HasSubstr("* and for each block of sparse values: 100 flops,"));
    EXPECT_THAT(sparse->explain(), HasSubstr("  tensor(k{},x[100])  "));
}

TEST(Explain, CountsTheWorkOfPairsOfBlocks) {
    Schema schema;
    schema.query("q", "tensor<float>(qt{},x[128])").document("d", "tensor<float>(token{},x[128])");
    const auto maxsim = plan_of("sum(reduce(sum(q*d,x),max,token),qt)", schema);
    ASSERT_TRUE(maxsim);
    // A product of 128 cells for each token of the query and each of the document.
    EXPECT_THAT(maxsim->explain(),
                HasSubstr("*+ and for each pair of a block and one that the documents share: 256 flops,"));
    const std::vector<PlanStep> steps = maxsim->steps(Stage::document);
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const PlanStep &step) {
        return step.flops == 256 && step.per_block && step.per_shared_block;
    }));
}

TEST(Explain, CountsTheWorkOfWhatDocumentsShare) {
    Schema schema;
    schema.query("w", "tensor<float>(k{},x[64])").query("bits", "tensor<int8>(k{},x[16])");
    schema.document("d", "tensor<float>(x[64])").document("chunks", "tensor<int8>(c{},t{},x[16])");
    // A number of each document for each block of w.
    for (const char *expression : {"sum(w*d,x)", "reduce(sum(w*d,x),max)"}) {
        const auto plan = plan_of(expression, schema);
        ASSERT_TRUE(plan);
        EXPECT_THAT(plan->explain(), HasSubstr("+ and for each block that the documents share: 128 flops,"))
            << expression;
    }
    // The same is compared with each block of a document, by groups of those or not.
    for (const char *expression :
         {"reduce(sum(hamming(bits,chunks),x),min,t)", "reduce(sum(hamming(bits,chunks),x),min,c,t)"}) {
        const auto plan = plan_of(expression, schema);
        ASSERT_TRUE(plan);
        EXPECT_THAT(plan->explain(),
                    HasSubstr("*+ and for each pair of a block and one that the documents share: 32 flops,"))
            << expression;
    }
}

TEST(Explain, OfAConstantAndOfAnInput) {
    const auto constant = plan_of("1 + 2", {});
    ASSERT_TRUE(constant);
    EXPECT_THAT(constant->explain(), HasSubstr("inputs: none\noutputs:\n  constant  double\n"));
    EXPECT_THAT(constant->explain(), HasSubstr("document: 0 steps, per document\n"));
    const auto input = plan_of("a", Schema().document("a"));
    ASSERT_TRUE(input);
    EXPECT_THAT(input->explain(), HasSubstr("document: 0 steps"));
}

TEST(Explain, NamesOutputs) {
    const auto plan = compile({{"first", "a + 1"}, {"second", "a * 2"}}, Schema().document("a"));
    ASSERT_TRUE(plan);
    EXPECT_THAT(plan->explain(), HasSubstr("outputs:\n  document  first   double\n  document  second  double\n"));
}

TEST(Steps, AreThoseOfAStage) {
    Schema schema;
    schema.query("q", "tensor<float>(x[8])").document("d", "tensor<float>(x[8])");
    const auto plan = plan_of("sum(exp(q)*d)", schema);
    ASSERT_TRUE(plan);
    const std::vector<PlanStep> steps = plan->steps(Stage::document);
    ASSERT_EQ(steps.size(), plan->document_steps());
    EXPECT_EQ(steps[0].what, "dot of 8 cells");
    EXPECT_THAT(steps[0].kernel, HasSubstr("baseline::dot"));
    EXPECT_EQ(steps[0].flops, 16);
    EXPECT_EQ(steps[0].bytes_read, 64);
    EXPECT_FALSE(steps[0].per_block);
    EXPECT_EQ(steps[0].text, "sum(exp(q)*d)");
    EXPECT_EQ(steps[0].place, "1:1");
    ASSERT_EQ(plan->steps(Stage::query).size(), 1U);
    EXPECT_EQ(plan->steps(Stage::query)[0].what, "exp");
    EXPECT_EQ(plan->steps(Stage::query)[0].text, "exp(q)");
    EXPECT_EQ(plan->steps(Stage::query)[0].place, "1:5");
    EXPECT_TRUE(plan->steps(Stage::constant).empty());
}

TEST(Profile, AddsTheTimeOfEachStep) {
    const auto plan = plan_of("sum(exp(d))/sum(d)", Schema().document("d", "tensor<float>(x[64])"));
    ASSERT_TRUE(plan);
    const auto query = plan->bind({});
    ASSERT_TRUE(query);
    Context context(*plan);
    const std::vector<float> cells(64 * 1000);
    const Column column = Column::dense(cells.data(), 64 * sizeof(float));
    const Block block{1000, {&column, 1}};
    std::vector<double> seconds(plan->document_steps());
    ASSERT_TRUE(query->profile(block, context, seconds));
    const std::vector<double> once = seconds;
    for (const double each : once) {
        EXPECT_GT(each, 0);
    }
    ASSERT_TRUE(query->profile(block, context, seconds));
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_GT(seconds[i], once[i]);
    }
    seconds.push_back(0);
    const Status status = query->profile(block, context, seconds);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(), HasSubstr("there is room for the times of 4 steps of 3"));
}

}  // namespace
}  // namespace tenrex
