// Compiling and evaluating: what is described, what is refused, and in which words.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

namespace tenrex::plan_test {
namespace {

TensorType type_of(const char *text) {
    return *TensorType::parse(text);
}

Schema schema() {
    Schema schema;
    schema.query("q", type_of("tensor<float>(x[2])"))
        .query("s", type_of("tensor(k{})"))
        .document("d", type_of("tensor<float>(x[2])"))
        .document("m", type_of("tensor(k{})"))
        .document("n", TensorType());
    return schema;
}

Plan compiled(std::string_view text) {
    auto plan = compile(text, schema());
    EXPECT_TRUE(plan) << plan.error().message();
    return *std::move(plan);
}

const NamedTensor q{"q", *from_literal("tensor<float>(x[2]):[1,2]")};
const NamedTensor s{"s", *from_literal("tensor(k{}):{a:1,b:2}")};

constexpr float cells[] = {3, 4, 5, 6};
const Column dense = Column::dense(cells, 2 * sizeof(float));

std::string message_of(const Status &status) {
    return status ? "" : status.error().message();
}

TEST(Plan, SaysWhatItNeeds) {
    const Plan plan = compiled("n + sum(q*d)");
    ASSERT_EQ(plan.outputs().size(), 1u);
    EXPECT_EQ(plan.outputs()[0].name, "");
    EXPECT_TRUE(plan.outputs()[0].type.is_scalar());
    std::vector<std::string> documents;
    for (const InputDeclaration &input : plan.document_inputs()) {
        documents.push_back(input.name + " " + input.type.to_string());
    }
    EXPECT_THAT(documents, testing::UnorderedElementsAre("n double", "d tensor<float>(x[2])"));
    ASSERT_EQ(plan.query_inputs().size(), 1u);
    EXPECT_EQ(plan.query_inputs()[0].name, "q");
    EXPECT_EQ(plan.query_inputs()[0].stage, Stage::query);
}

TEST(Plan, StringsAreValuesOfTheQueryAndOfDocuments) {
    Schema strings;
    strings.query("query(lang)", "string").document("lang", "string").document("n");
    const auto plan = compile("if(lang == query(lang), n, -1)", strings);
    ASSERT_TRUE(plan);
    std::vector<std::string> inputs;
    for (const auto *list : {&plan->query_inputs(), &plan->document_inputs()}) {
        for (const InputDeclaration &input : *list) {
            inputs.push_back(input.name + " " + input.type_text());
        }
    }
    EXPECT_THAT(inputs, testing::UnorderedElementsAre("query(lang) string", "lang string", "n double"));
    const auto query = plan->bind({{"query(lang)", Tensor::string("de")}});
    ASSERT_TRUE(query);
    const double langs[] = {string_number("at"), string_number("de")};
    const double numbers[] = {5, 6};
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        columns.push_back(Column::dense(input.name == "n" ? numbers : langs, sizeof(double)));
    }
    Context context(*plan);
    double scores[2];
    ASSERT_TRUE(query->evaluate({2, columns}, context, scores));
    EXPECT_THAT(scores, testing::ElementsAre(-1, 6));
    EXPECT_EQ(plan->bind({}).error().message(),
              "there is no value for the query input 'query(lang)' (give a value of type string)");
    EXPECT_EQ(
        plan->bind({{"lang", Tensor::string("de")}}).error().message(),
        "there is no value for the query input 'query(lang)' (there is a value for 'lang': call it 'query(lang)')");
}

TEST(Plan, OptionsMustBeKnown) {
    CompileOptions options;
    options.max_isa = "sse9";
    auto plan = compile("1", {}, options);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message(), "there is no instruction set 'sse9' (use baseline, avx2, avx512 or native)");
    options.max_isa = "";
    options.disabled_passes = {"no-such-pass"};
    plan = compile("1", {}, options);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message(), testing::StartsWith("there is no optimization 'no-such-pass' (there are: "));
}

TEST(Plan, NeedsAnExpression) {
    const auto plan = compile(std::vector<NamedExpression>{}, schema());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message(), "there is no expression to compile");
}

TEST(Plan, ReportsIssuesOfTheText) {
    const auto plan = compile("sum(q*unknown)", schema());
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().message().find("unknown"), std::string::npos) << plan.error().message();
}

TEST(Bind, NeedsEveryQueryInput) {
    const auto query = compiled("sum(q*d)").bind({s});
    ASSERT_FALSE(query);
    EXPECT_EQ(query.error().message(),
              "there is no value for the query input 'q' (give a value of type tensor<float>(x[2]))");
}

TEST(Bind, NeedsTheDeclaredType) {
    const auto query = compiled("sum(q*d)").bind({{"q", *from_literal("tensor(x[2]):[1,2]")}});
    ASSERT_FALSE(query);
    EXPECT_EQ(query.error().message(),
              "the value of the query input 'q' has type tensor(x[2]), not tensor<float>(x[2])");
}

TEST(Bind, TakesTheFirstOfSeveralValuesAndIgnoresOthers) {
    const Plan plan = compiled("sum(q*d)");
    const auto query = plan.bind({q, {"q", *from_literal("tensor(x[9]):{{x:0}:1}")}, {"other", Tensor(1.0)}});
    ASSERT_TRUE(query) << query.error().message();
    Context context(plan);
    double score = 0;
    ASSERT_TRUE(query->evaluate({1, {&dense, 1}}, context, {&score, 1}));
    EXPECT_EQ(score, 11);
}

TEST(Bind, QueriesOutliveTheirPlan) {
    auto plan = std::make_unique<Plan>(compiled("sum(q*d)"));
    auto context = std::make_unique<Context>(*plan);
    auto query = std::make_unique<Query>(*plan->bind({q}));
    plan.reset();
    double scores[2] = {};
    ASSERT_TRUE(query->evaluate({2, {&dense, 1}}, *context, scores));
    EXPECT_EQ(scores[0], 11);
    EXPECT_EQ(scores[1], 17);
}

// Values of the query are kept by what is bound, not by the caller.
TEST(Bind, KeepsTheValues) {
    const Plan plan = compiled("sum(s*m)");
    ColumnBuffer buffer(type_of("tensor(k{})"), plan.labels());
    ASSERT_TRUE(buffer.append(*from_literal("tensor(k{}):{a:10,b:100}")));
    auto values = std::make_unique<std::vector<NamedTensor>>();
    values->emplace_back("s", *from_literal("tensor(k{}):{a:1,b:2}"));
    const auto query = plan.bind(*values);
    values.reset();
    Context context(plan);
    double score = 0;
    const Column column = buffer.column();
    ASSERT_TRUE(query->evaluate({1, {&column, 1}}, context, {&score, 1}));
    EXPECT_EQ(score, 210);
}

class Evaluate : public testing::Test {
protected:
    Plan plan_ = compiled("sum(q*d)");
    Query query_ = *plan_.bind({q});
    Context context_{plan_};
    double scores_[4] = {};
};

TEST_F(Evaluate, NeedsAColumnForEachInput) {
    EXPECT_EQ(message_of(query_.evaluate({2, {}}, context_, scores_)),
              "the block has 0 columns, the plan has 1 document inputs");
    const Column columns[] = {dense, dense};
    EXPECT_EQ(message_of(query_.evaluate({2, columns}, context_, scores_)),
              "the block has 2 columns, the plan has 1 document inputs");
}

TEST_F(Evaluate, NeedsColumnsOfTheRightKind) {
    const std::uint64_t offsets[] = {0, 0, 0};
    const Column sparse = Column::sparse(offsets, nullptr, nullptr);
    EXPECT_EQ(message_of(query_.evaluate({2, {&sparse, 1}}, context_, scores_)),
              "the column for 'd' does not fit its type tensor<float>(x[2]): it has addresses");
    const Plan plan = compiled("sum(m)");
    Context context(plan);
    EXPECT_EQ(message_of(plan.bind({})->evaluate({2, {&dense, 1}}, context, scores_)),
              "the column for 'm' does not fit its type tensor(k{}): it has no addresses");
}

TEST_F(Evaluate, NeedsCells) {
    const Column none;
    EXPECT_EQ(message_of(query_.evaluate({2, {&none, 1}}, context_, scores_)), "the column for 'd' has no cells");
    EXPECT_EQ(message_of(query_.evaluate({0, {&none, 1}}, context_, scores_)), "");
}

TEST_F(Evaluate, NeedsAContextOfItsPlan) {
    Context other(compiled("sum(q*d)"));
    EXPECT_EQ(message_of(query_.evaluate({2, {&dense, 1}}, other, scores_)), "the context was made for another plan");
    const Context moved = std::move(context_);
    EXPECT_EQ(message_of(query_.evaluate({2, {&dense, 1}}, context_, scores_)),
              "the context was made for another plan");
    EXPECT_EQ(moved.memory_bytes() > 0, true);
}

TEST_F(Evaluate, NeedsRoomForTheScores) {
    EXPECT_EQ(message_of(query_.evaluate({2, {&dense, 1}}, context_, std::span(scores_, 1))),
              "there is room for 1 scores of 2 documents");
    const std::span<double> rows[] = {std::span(scores_, 1)};
    EXPECT_EQ(message_of(query_.evaluate({2, {&dense, 1}}, context_, rows)),
              "there is room for 1 scores of 2 documents");
    EXPECT_EQ(message_of(query_.evaluate({2, {&dense, 1}}, context_, std::span<const std::span<double>>())),
              "there is room for 0 outputs of 1");
}

TEST_F(Evaluate, NeedsAScalar) {
    const Plan plan = compiled("q*d");
    Context context(plan);
    EXPECT_EQ(message_of(plan.bind({q})->evaluate({2, {&dense, 1}}, context, scores_)),
              "the expression has type tensor<float>(x[2]), scores must be scalars (reduce it to a scalar, or ask for "
              "tensors)");
}

TEST_F(Evaluate, WorksAfterAnError) {
    ASSERT_FALSE(query_.evaluate({2, {}}, context_, scores_));
    ASSERT_TRUE(query_.evaluate({2, {&dense, 1}}, context_, scores_));
    EXPECT_EQ(scores_[1], 17);
}

TEST_F(Evaluate, LeavesOtherScoresAlone) {
    scores_[2] = 7;
    ASSERT_TRUE(query_.evaluate({2, {&dense, 1}}, context_, scores_));
    EXPECT_EQ(scores_[2], 7);
}

TEST(EvaluateOutputs, OfSeveralExpressions) {
    const auto plan = compile({{"dot", "sum(q*d)"}, {"number", "n+1"}, {"constant", "2+3"}}, schema());
    ASSERT_TRUE(plan) << plan.error().message();
    const double numbers[] = {10, 20};
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        columns.push_back(input.name == "d" ? dense : Column::dense(numbers, sizeof(double)));
    }
    const auto query = plan->bind({q});
    Context context(*plan);
    double dots[2], sums[2], constants[2];
    const std::span<double> scores[] = {dots, sums, constants};
    ASSERT_TRUE(query->evaluate({2, columns}, context, scores));
    EXPECT_THAT(dots, testing::ElementsAre(11, 17));
    EXPECT_THAT(sums, testing::ElementsAre(11, 21));
    EXPECT_THAT(constants, testing::ElementsAre(5, 5));
    const auto tensors = query->evaluate_tensors({2, columns}, context);
    ASSERT_TRUE(tensors);
    ASSERT_EQ(tensors->size(), 6u);
    EXPECT_EQ((*tensors)[1].cell(0), 17);
    EXPECT_EQ((*tensors)[2].cell(0), 11);
}

TEST(EvaluateOutputs, MustAllBeScalars) {
    const auto plan = compile({{"number", "n"}, {"product", "q*d"}}, schema());
    ASSERT_TRUE(plan) << plan.error().message();
    double n[2], product[2];
    const std::span<double> scores[] = {n, product};
    Context context(*plan);
    EXPECT_EQ(message_of(plan->bind({q})->evaluate({2, {}}, context, scores)),
              "the output 'product' has type tensor<float>(x[2]), scores must be scalars (reduce it to a scalar, or "
              "ask for tensors)");
}

TEST(EvaluateOutputs, ThatTheDocumentsDoNotChange) {
    const Plan plan = compiled("sum(q)+1");
    const auto query = plan.bind({q});
    Context context(plan);
    std::vector<double> scores(100);
    ASSERT_TRUE(query->evaluate({100, {}}, context, scores));
    EXPECT_EQ(scores, std::vector<double>(100, 4.0));
}

TEST(Limits, BoundTheCellsOfAValue) {
    CompileOptions options;
    options.expression.limits.evaluation_cells = 100;
    Schema schema;
    schema.document("a", type_of("tensor(x{})")).document("b", type_of("tensor(y{})"));
    schema.query("c", type_of("tensor(x{})")).query("e", type_of("tensor(y{})"));
    std::string many = "{";
    for (int i = 0; i < 60; ++i) {
        many += (i == 0 ? "" : ",") + std::to_string(i) + ":1";
    }
    const Tensor x = *from_literal("tensor(x{}):" + many + "}");
    const Tensor y = *from_literal("tensor(y{}):" + many + "}");
    auto plan = compile("sum(a*b)", schema, options);
    ASSERT_TRUE(plan) << plan.error().message();
    ColumnBuffer a(x.type(), plan->labels()), b(y.type(), plan->labels());
    ASSERT_TRUE(a.append(x));
    ASSERT_TRUE(b.append(y));
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        columns.push_back(input.name == "a" ? a.column() : b.column());
    }
    Context context(*plan);
    double score = 0;
    EXPECT_EQ(
        message_of(plan->bind({})->evaluate({1, columns}, context, {&score, 1})),
        "a value of a document has more than 100 cells (work on smaller tensors, or raise Limits::evaluation_cells)");

    plan = compile("sum(c*e)", schema, options);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto query = plan->bind({{"c", x}, {"e", y}});
    ASSERT_FALSE(query);
    EXPECT_EQ(query.error().message(),
              "a value that depends on the query has more than 100 cells (work on smaller tensors, or raise "
              "Limits::evaluation_cells)");
}

// A document is held to the limits alone.
TEST(Limits, DoNotDependOnTheNeighbours) {
    CompileOptions options;
    options.expression.limits.evaluation_cells = 100;
    Schema schema;
    schema.document("a", type_of("tensor(x{})")).document("b", type_of("tensor(y{})"));
    schema.document("c", type_of("tensor(x[6])")).document("n", TensorType());
    const Tensor nine = *from_literal("tensor(x{}):{1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1}");
    const Tensor nine_y = *from_literal("tensor(y{}):{1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1}");
    const Tensor twelve_y = *from_literal("tensor(y{}):{1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1}");
    for (const char *text :
         {"sum(map(a*b,f(v)(v+1)))", "sum(a*b*a)", "sum(tensor(p{},q{}):{{p:a,q:b}:n,{p:b,q:c}:n}*a*b)",
          "reduce(a*b,max)", "sum(filter_subspaces(a*b,f(v)(v))*b)", "sum((a+0)*tensor(z[9])(z))"}) {
        const auto plan = compile(text, schema, options);
        ASSERT_TRUE(plan) << plan.error().message();
        const auto run = [&](const std::vector<std::pair<Tensor, Tensor>> &documents) {
            std::vector<ColumnBuffer> buffers;
            std::vector<Column> columns;
            for (const InputDeclaration &input : plan->document_inputs()) {
                ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
                for (const auto &[a, b] : documents) {
                    EXPECT_TRUE(buffer.append(input.name == "a" ? a : input.name == "b" ? b : Tensor(1.0)));
                }
            }
            for (const ColumnBuffer &buffer : buffers) {
                columns.push_back(buffer.column());
            }
            Context context(*plan);
            std::vector<double> scores(documents.size());
            return message_of(plan->bind({})->evaluate({documents.size(), columns}, context, scores));
        };
        const std::string alone = run({{nine, nine_y}});
        EXPECT_EQ(run({{nine, nine_y}, {nine, nine_y}, {nine, nine_y}}), alone) << text;
        const std::string too_large = run({{nine, twelve_y}});
        const Tensor none = *from_literal("tensor(x{}):{}");
        EXPECT_EQ(run({{none, nine_y}, {none, nine_y}, {nine, twelve_y}, {none, nine_y}}), too_large) << text;
    }
}

TEST(ColumnBuffer, RefusesOtherTypes) {
    ColumnBuffer buffer(type_of("tensor<float>(x[2])"), std::make_shared<LabelTable>());
    const Status status = buffer.append(*from_literal("tensor(x[2]):[1,2]"));
    EXPECT_EQ(message_of(status), "a value of type tensor(x[2]) does not fit a column of type tensor<float>(x[2])");
    EXPECT_EQ(buffer.documents(), 0u);
}

TEST(Explain, NamesStepsAndKernels) {
    CompileOptions options;
    options.max_isa = "baseline";
    const auto plan = compile("sum(q*d)+n", schema(), options);
    ASSERT_TRUE(plan);
    const std::string text = plan->explain();
    EXPECT_NE(text.find("document: "), text.npos) << text;
    EXPECT_NE(text.find("baseline::"), text.npos) << text;
    EXPECT_EQ(text.find("avx"), text.npos) << text;
    EXPECT_NE(plan->graph(), "");
    EXPECT_NE(plan->graph_dot().find("digraph"), std::string::npos);
}

}  // namespace
}  // namespace tenrex::plan_test
