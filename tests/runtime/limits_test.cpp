// What plans may store is bounded: when they are made, when a query is bound, and when documents are evaluated.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

namespace tenrex::limits_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TensorType type_of(std::string_view text) {
    return *TensorType::parse(text);
}

std::string message_of(const Status &status) {
    return status ? "" : status.error().message();
}

CompileOptions with_cells(std::uint64_t cells) {
    CompileOptions options;
    options.expression.limits.evaluation_cells = cells;
    return options;
}

Schema matrices() {
    Schema schema;
    schema.document("a", type_of("tensor<float>(t[128],x[768])"))
        .document("b", type_of("tensor<float>(x[768],y[3072])"));
    schema.document("c", type_of("tensor<float>(i[1024],k[1024])"));
    schema.document("e", type_of("tensor<float>(j[1024],k[1024])"));
    schema.query("q", type_of("tensor<float>(x[768],y[3072])"));
    return schema;
}

TEST(Limits, ProductsThatAreSummedAreNotStored) {
    const auto plan = compile("sum(a*q,x)", matrices());
    ASSERT_TRUE(plan) << plan.error().message();
    std::vector<float> a(128 * 768, 0.5F);
    TensorBuilder q(type_of("tensor<float>(x[768],y[3072])"));
    for (std::size_t i = 0; i < q.type().block_cells(); ++i) {
        q.set(0, i, i % 3072 == 7 ? 2 : 1);
    }
    const auto query = plan->bind({{"q", std::move(q).build()}});
    ASSERT_TRUE(query) << query.error().message();
    const Column column = Column::dense(a.data(), 0);
    Context context(*plan);
    const auto values = query->evaluate_tensors({1, {&column, 1}}, context);
    ASSERT_TRUE(values) << values.error().message();
    const TensorView product = values->front().view();
    ASSERT_EQ(product.type().to_string(), "tensor<float>(t[128],y[3072])");
    const auto *const cells = static_cast<const float *>(product.cells());
    EXPECT_EQ(cells[0], 384);
    EXPECT_EQ(cells[7], 768);
    EXPECT_EQ(cells[127 * 3072 + 3071], 384);

    for (const char *text : {"sum(a*b,x)", "sum(c*e,k)", "sum(join(a,b,f(p,q)(p*q)),x)", "reduce(c*e,max,k)"}) {
        EXPECT_TRUE(compile(text, matrices())) << text;
    }
}

TEST(Limits, ValuesThatAreStoredAreBoundedWhenThePlanIsMade) {
    for (const char *text :
         {"reduce(join(a,b,f(p,q)(tanh(p*q)+1)),max,x)", "reduce(join(a,q,f(p,q)(tanh(p*q)+1)),max,x)"}) {
        const auto plan = compile(text, matrices());
        ASSERT_FALSE(plan) << text;
        EXPECT_THAT(plan.error().message(),
                    AllOf(HasSubstr("the largest has type tensor(t[128],x[768],y[3072])"),
                          HasSubstr("the limit evaluation_cells is 268435456"),
                          HasSubstr("(make the tensors smaller, or raise the limit evaluation_cells)")));
    }
    EXPECT_FALSE(compile("a*1", matrices(), with_cells(128 * 768 / 2 - 1)));  // floats
    EXPECT_TRUE(compile("a*1", matrices(), with_cells(128 * 768 / 2)));
    // A number beside it is not counted.
    EXPECT_TRUE(compile("sum(tensor(x[98304])(1))", matrices(), with_cells(98304)));
    EXPECT_FALSE(compile("sum(tensor(x[98304])(1))", matrices(), with_cells(98303)));
    const auto generator = compile("sum(tensor(x[300000000])(x))", matrices());
    ASSERT_FALSE(generator);
    EXPECT_EQ(
        generator.error().message(),
        "the value of a part of the expression is too large: dimension x of a generator has 300000000 indexes; "
        "the limit evaluation_cells is 268435456 (make the tensors smaller, or raise the limit evaluation_cells)");
}

// A generator of medians over each of its indexes: the plan would hold all products. Sums are formed as they come.
TEST(Limits, FramesOfGeneratorsAreBoundedWhenThePlanIsMade) {
    Schema schema;
    schema.document("t", type_of("tensor(y[100000])"));
    EXPECT_TRUE(compile("tensor(x[1000000])(reduce(t*x,sum))", schema));
    const auto plan = compile("tensor(x[1000000])(reduce(t*x,median))", schema);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message(), HasSubstr("the limit evaluation_cells is 268435456"));
}

TEST(Limits, RaisedOnesHoldInEveryPass) {
    CompileOptions options = with_cells(std::uint64_t{1} << 34);
    options.expression.limits.block_cells = std::uint64_t{1} << 34;
    Schema schema;
    schema.document("a", type_of("tensor(t[512],x[768])")).document("b", type_of("tensor(x[768],y[3072])"));
    schema.document("f", type_of("tensor<float>(t[512],x[768])"))
        .document("g", type_of("tensor<float>(x[768],y[3072])"));
    schema.document("i", type_of("tensor<int8>(t[512],x[96])")).document("n", TensorType());
    schema.document("m", type_of("tensor<float>(k{},x[768])")).document("w", type_of("tensor(y[3072],z[64])"));
    const char *const texts[] = {
        "sum(join(a,b,f(p,q)(p*q)),x)",
        "sum(a*b,x)",
        "sum(f*g,x)",
        "reduce(f*g,max,x)",
        "reduce(tanh(f*g),max,x)",
        "reduce(map(join(f,g,f(p,q)(p-q)),f(v)(sqrt(v))),min,t)",
        "reduce(join(a,b,f(p,q)((p-q)*(p-q))),sum,x)",
        "reduce(join(a,b,f(p,q)(p<q)),avg,x)",
        "avg(f*g,x)",
        "sum(sum(sum(a*b,x)*w,y))",
        "sum(a*(n*b),x)",
        "sum(rename(f,x,r)*rename(g,x,r),r)",
        "cell_cast(f*g,bfloat16){t:3}",
        "tensor(u[3])((f*g){t:(u),x:(u+1),y:0})",
        "sum(unpack_bits(i)*g,x)",
        "sum(cell_cast(unpack_bits(i),float)*g,x)",
        "sum(m*f*g,x)",
        "count(m*f*g)",
        "sum(concat(f,f,t)*g,x)",
        "sum(filter_subspaces(m,f(v)(sum(v)>0))*f*g)",
        "sum(map_subspaces(m*f,f(v)(v*2))*g,x)",
        "sum(f*g,t,x,y)",
        "softmax(f*g,x){t:0,x:0,y:0}",
    };
    std::vector<std::string> disabled = {""};
    for (const std::string_view name : optimization_names()) {
        disabled.emplace_back(name);
    }
    for (const char *text : texts) {
        for (const std::string &pass : disabled) {
            options.disabled_passes.clear();
            if (!pass.empty()) {
                options.disabled_passes.push_back(pass);
            }
            const auto plan = compile(text, schema, options);
            EXPECT_TRUE(plan) << text << " without " << pass << ": " << (plan ? "" : plan.error().message());
        }
    }
}

// A block of documents of which each has so many labels, as columns of the plan.
class Documents {
public:
    Documents(const Plan &plan, const std::vector<std::size_t> &labels) : count_(labels.size()) {
        for (const InputDeclaration &input : plan.document_inputs()) {
            ColumnBuffer &buffer = buffers_.emplace_back(input.type, plan.labels());
            for (std::size_t document = 0; document < labels.size(); ++document) {
                TensorBuilder builder(input.type);
                for (std::size_t i = 0; i < labels[document]; ++i) {
                    const std::string label = std::to_string(i);
                    const std::string_view address[] = {label};
                    builder.set(builder.block(address), 0, 0.001 * static_cast<double>(i + document));
                }
                EXPECT_TRUE(buffer.append(std::move(builder).build()));
            }
        }
        for (const ColumnBuffer &buffer : buffers_) {
            columns_.push_back(buffer.column());
        }
    }
    Block block() const { return {count_, columns_}; }
    Block one(std::size_t document) const { return {1, columns_, document}; }

private:
    std::size_t count_;
    std::vector<ColumnBuffer> buffers_;
    std::vector<Column> columns_;
};

Schema labels() {
    Schema schema;
    schema.document("a", type_of("tensor(k{})")).document("b", type_of("tensor(l{})"));
    return schema;
}

TEST(Limits, BoundWhatThePieceOfDocumentsHolds) {
    constexpr std::uint64_t cells = 200000;
    // Each document needs some 14,400 cells, 28,800 labels and two maps: half a megabyte.
    for (const char *text :
         {"sum(exp(a*b))", "reduce(exp(a*b),max)", "sum(sum(exp(a*b),k)*2)", "sum(merge(a*b,b*a,f(v,w)(v*w)))"}) {
        const auto plan = compile(text, labels(), with_cells(cells));
        ASSERT_TRUE(plan) << plan.error().message();
        ASSERT_GT(plan->piece(), 30u);
        const auto query = plan->bind({});
        const Documents documents(*plan, std::vector<std::size_t>(30, 120));
        Context context(*plan);
        std::vector<double> scores(30), again(30);
        ASSERT_EQ(message_of(query->evaluate(documents.block(), context, scores)), "") << text;
        EXPECT_LE(context.memory_bytes(), 2 * 8 * cells + 65536) << text;
        ASSERT_EQ(message_of(query->evaluate(documents.block(), context, again)), "") << text;
        EXPECT_EQ(scores, again) << text;

        const auto roomy = compile(text, labels());
        const auto roomy_query = roomy->bind({});
        const Documents same(*roomy, std::vector<std::size_t>(30, 120));
        Context roomy_context(*roomy);
        for (std::size_t i = 0; i < 30; ++i) {
            double score = 0;
            ASSERT_TRUE(roomy_query->evaluate(same.one(i), roomy_context, {&score, 1}));
            EXPECT_EQ(scores[i], score) << text << ", document " << i;
        }
    }
}

TEST(Limits, RefuseADocumentThatIsTooLargeAlone) {
    const auto plan = compile("sum(exp(a*b))", labels(), with_cells(200000));
    ASSERT_TRUE(plan);
    const auto query = plan->bind({});
    std::vector<std::size_t> counts(20, 100);
    counts[10] = 400;
    const Documents documents(*plan, counts);
    Context context(*plan);
    std::vector<double> scores(20);
    const std::string expected =
        "the values of a document take more than 3200000 bytes, labels and tables included; the limit evaluation_cells "
        "is "
        "200000 (work on smaller tensors, or raise Limits::evaluation_cells)";
    EXPECT_EQ(message_of(query->evaluate(documents.block(), context, scores)), expected);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(message_of(query->evaluate(documents.one(i), context, scores)), i == 10 ? expected : "") << i;
    }
}

// One large document does not keep the pieces small for good, and what it took is given back.
TEST(Limits, LargeDocumentsAmongSmallOnes) {
    const auto plan = compile("sum(exp(a*b))", labels(), with_cells(200000));
    ASSERT_TRUE(plan);
    const auto query = plan->bind({});
    std::vector<std::size_t> counts(3000, 3);
    counts[5] = counts[6] = counts[1000] = counts[2999] = 200;
    const Documents documents(*plan, counts);
    Context context(*plan);
    std::vector<double> scores(counts.size());
    ASSERT_EQ(message_of(query->evaluate(documents.block(), context, scores)), "");
    for (const std::size_t i : {0, 4, 5, 6, 7, 999, 1000, 1001, 2998, 2999}) {
        double score = 0;
        ASSERT_TRUE(query->evaluate(documents.one(i), context, {&score, 1}));
        EXPECT_EQ(score, scores[i]) << i;
    }
}

TEST(Limits, HoldForAllThatAQueryMakes) {
    Schema schema;
    schema.query("a", type_of("tensor(k{})")).query("b", type_of("tensor(l{})")).document("n", TensorType());
    const auto plan = compile("sum(n*exp(a*b))", schema, with_cells(200000));
    ASSERT_TRUE(plan) << plan.error().message();
    const auto value = [](const char *type, std::size_t labels) {
        TensorBuilder builder(type_of(type));
        for (std::size_t i = 0; i < labels; ++i) {
            const std::string label = std::to_string(i);
            const std::string_view address[] = {label};
            builder.set(builder.block(address), 0, 1);
        }
        return std::move(builder).build();
    };
    EXPECT_TRUE(plan->bind({{"a", value("tensor(k{})", 100)}, {"b", value("tensor(l{})", 100)}}));
    const auto query = plan->bind({{"a", value("tensor(k{})", 400)}, {"b", value("tensor(l{})", 400)}});
    ASSERT_FALSE(query);
    EXPECT_THAT(query.error().message(), HasSubstr("the limit evaluation_cells is 200000"));
}

TEST(Limits, BlocksThatNoMemoryHolds) {
    Schema schema;
    schema.document("n", TensorType());
    const double number = 1;
    const Column column = Column::dense(&number, 0);
    for (const auto &outputs : {std::vector<NamedExpression>{{"", "n+1"}},
                                std::vector<NamedExpression>{{"p", "n+1"}, {"q", "n*2"}, {"r", "n"}, {"s", "n-1"}}}) {
        const auto plan = compile(outputs, schema);
        ASSERT_TRUE(plan);
        const auto query = plan->bind({});
        Context context(*plan);
        for (const std::size_t documents :
             {std::numeric_limits<std::size_t>::max() / 2, std::numeric_limits<std::size_t>::max() / 4 + 1,
              std::numeric_limits<std::size_t>::max()}) {
            const auto values = query->evaluate_tensors({documents, {&column, 1}}, context);
            ASSERT_FALSE(values);
            EXPECT_EQ(values.error().message(), "there is not enough memory for this expression");
        }
    }
}

}  // namespace
}  // namespace tenrex::limits_test
