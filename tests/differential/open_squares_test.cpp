// Values with several open dimensions, such as masks with a cell for each two tokens of a document.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/differential/open_documents.h"

namespace tenrex {
namespace {

// Pairs of tokens are many.
void compare(const char *expression, const std::vector<OpenInput> &inputs) {
    compare_open({expression, inputs, 17});
}

constexpr OpenInput pairs{"m", "tensor<float>(s[],t[])", Stage::document};
constexpr OpenInput crossed{"c", "tensor<float>(t[],u[])", Stage::document};
constexpr OpenInput tokens{"d", "tensor<float>(t[],x[8])", Stage::document};
constexpr OpenInput others{"e", "tensor<float>(u[],x[8])", Stage::document};

TEST(OpenSquares, Reductions) {
    for (const char *type : {"tensor<float>(t[],u[])", "tensor<float>(t[],u[],x[3])", "tensor(a[2],t[],tt[3],u[])",
                             "tensor<int8>(a[1],t[],u[])"}) {
        for (const char *aggregator : {"sum", "max", "min", "avg", "count", "median"}) {
            for (const char *over : {"t", "u", "t,u"}) {
                const std::string expression = std::string("reduce(m,") + aggregator + "," + over + ")";
                const bool is_scalar = expression.find("t,u") != std::string::npos;
                compare((is_scalar ? "sum(" + expression + ")" : expression).c_str(), {{"m", type, Stage::document}});
            }
        }
    }
}

TEST(OpenSquares, CellsAndRows) {
    compare("sum(m*2+exp(m),s)", {pairs});
    compare("m{t:0}", {pairs});
    compare("m{s:2}*m{t:1,s:0}", {pairs});
    compare("m{t:(i)}", {pairs, {"i", "double", Stage::query}});
    compare("sum(m*rename(m,(s,t),(t,s)),t)", {pairs});
    compare("sum(m*sum(d*d,x),t)", {pairs, tokens});
    compare("sum(sum(d*e,x)*c,u)", {tokens, others, crossed});
    compare("sum(c*rename(c,(t,u),(s,u)),u){s:0}", {crossed});
}

TEST(OpenSquares, Attention) {
    const char *masked = "sum(softmax(sum(d*rename(d,t,s),x)*0.3+m,s)*rename(d,t,s),s)";
    compare(masked, {pairs, tokens});
    const char *crossed_mask = "sum(softmax(sum(d*e,x)*0.3+c,u)*e,u)";
    compare(crossed_mask, {crossed, tokens, others});
    const char *of_heads = "sum(softmax(sum(d*rename(d,t,s),x)*0.3+m,s)*rename(d,t,s),s)";
    compare(of_heads, {{"m", "tensor<float>(h[3],s[],t[])", Stage::document},
                       {"d", "tensor<float>(h[3],t[],x[8])", Stage::document}});
    const char *chosen = "sum(softmax((m>0)*(sum(d*rename(d,t,s),x)*0.3+9)-9,s)*rename(d,t,s),s)";
    compare(chosen, {pairs, tokens});
}

TEST(OpenSquares, AreResults) {
    compare("m*2", {pairs});
    compare("rename(m,(s,t),(t,s))", {pairs});
    compare("sum(d*rename(d,t,s),x)", {tokens});
    compare("sum(d*e,x)+c", {tokens, others, crossed});
    compare("softmax(sum(d*rename(d,t,s),x)+m,s)", {pairs, tokens});
    compare("d*e", {tokens, others});
    compare("sum(d*rename(d,t,a),x)*e", {tokens, others});
    compare("rename(m*2,(s,t),(z,a))*m", {{"m", "tensor<float>(h[3],s[],t[])", Stage::document}});
    compare("q*e{x:0}", {{"q", "tensor(t[])", Stage::query, 5}, others});
    compare("q*r", {{"q", "tensor(t[])", Stage::query, 5}, {"r", "tensor(s[],x[2])", Stage::query, 3}});
}

// Where one has no index the size of the other is told.
TEST(OpenSquares, ResultsInMemoryHaveSizes) {
    Schema schema;
    schema.document("a", "tensor<float>(t[])").document("b", "tensor<float>(s[],x[2])");
    const auto plan = compile({{"pairs", "a*b"}, {"sum", "sum(a)"}}, schema);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto bound = plan->bind({});
    Context context(*plan);
    const std::uint64_t offsets_of_a[] = {0, 2, 2, 3};
    const float a[] = {1, 2, 3};
    const std::uint64_t offsets_of_b[] = {0, 1, 4, 6};
    const float b[] = {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60};
    const Column columns[] = {Column::ragged(offsets_of_a, a), Column::ragged(offsets_of_b, b)};
    std::uint64_t offsets[4], sizes[6];
    float cells[8];
    double sums[3];
    const auto outputs = [&](std::size_t rows, std::uint64_t *room) {
        return std::vector{OutputColumn::ragged(offsets, cells, rows, room),
                           OutputColumn::dense(sums, sizeof(double), sizeof(sums))};
    };
    const Status status = bound->evaluate({3, columns}, context, outputs(4, sizes));
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(std::vector<std::uint64_t>(offsets, offsets + 4), (std::vector<std::uint64_t>{0, 2, 2, 4}));
    EXPECT_EQ(std::vector<std::uint64_t>(sizes, sizes + 6), (std::vector<std::uint64_t>{1, 2, 3, 0, 2, 1}));
    EXPECT_EQ(std::vector<float>(cells, cells + 8), (std::vector<float>{1, 10, 2, 20, 15, 150, 18, 180}));
    EXPECT_EQ(std::vector<double>(sums, sums + 3), (std::vector<double>{3, 0, 3}));
    const auto tensors = bound->evaluate_tensors({3, columns}, context);
    ASSERT_TRUE(tensors);
    EXPECT_EQ((*tensors)[1].type().to_string(), "tensor<float>(s[3],t[0],x[2])");
    EXPECT_FALSE(bound->evaluate({3, columns}, context, outputs(3, sizes)));
    const Status without = bound->evaluate({3, columns}, context, outputs(4, nullptr));
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().message(),
              "the memory for the output 'pairs' does not fit its type tensor<float>(s[],t[],x[2]): it has no sizes "
              "(give OutputColumn::ragged room for those of each document)");
}

TEST(OpenSquares, ComeWithTheQuery) {
    const OpenInput of_query{"m", "tensor<float>(s[],t[])", Stage::query, 5};
    const OpenInput rows{"q", "tensor<float>(t[],x[8])", Stage::query, 5};
    const OpenInput documents{"e", "tensor<float>(u[],x[8])", Stage::document};
    compare("sum(m*q,t)", {of_query, rows});
    compare("sum(reduce(sum(sum(m*q,t)*e,x),max,u),s)", {of_query, rows, documents});
    compare("sum(c*q,t)", {{"c", "tensor<float>(t[],u[])", Stage::query, 5}, rows});
}

// Three documents with 2, 1 and 2 rows of a, and with a matrix for each whose sizes are given.
std::string outcome(const char *expression, const std::vector<std::uint64_t> &sizes, bool has_sizes = true) {
    Schema schema;
    schema.document("a", "tensor(s[])").document("m", "tensor(s[],t[])");
    const auto plan = compile(expression, schema);
    if (!plan) {
        return plan.error().message();
    }
    const double cells[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const std::uint64_t offsets_of_a[] = {0, 2, 3, 5};
    const std::uint64_t offsets_of_m[] = {0, 6, 8, 10};
    const Column columns[] = {Column::ragged(offsets_of_a, cells),
                              Column::ragged(offsets_of_m, cells, has_sizes ? sizes.data() : nullptr)};
    const auto bound = plan->bind({});
    Context context(*plan);
    std::vector<double> scores(3);
    const Status status = bound->evaluate({3, columns}, context, scores);
    std::string text;
    for (const double score : scores) {
        text += std::to_string(static_cast<int>(score)) + " ";
    }
    return status ? text : status.error().message();
}

TEST(OpenSquares, ColumnsHaveSizes) {
    EXPECT_EQ(outcome("sum(a*m)", {2, 3, 1, 2, 2, 1}), "36 45 86 ");
    EXPECT_EQ(outcome("sum(a*m{t:1})", {2, 3, 1, 2, 2, 1}), "12 24 0 ");
    EXPECT_EQ(outcome("sum(a*m)", {3, 2, 1, 2, 2, 1}),
              "document 0: dimension 's' has size 3 in 'm' and 2 in 'a' (values that are joined must have the same "
              "size there)");
    EXPECT_EQ(outcome("sum(a*m)", {2, 3, 1, 2, 2, 2}),
              "the sizes in the column for 'm' are not those of the rows of document 2 (their product is the number of "
              "rows, and one is 0 only if all are)");
    EXPECT_EQ(outcome("sum(a*m)", {2, 3, 0, 2, 2, 1}).substr(0, 62),
              "the sizes in the column for 'm' are not those of the rows of d");
    EXPECT_EQ(outcome("sum(a*m)", {std::uint64_t{1} << 63, 2, 1, 2, 2, 1}).substr(0, 62),
              "the sizes in the column for 'm' are not those of the rows of d");
    EXPECT_EQ(outcome("sum(a*m)", {}, false),
              "the column for 'm' has no sizes, and its type tensor(s[],t[]) has several open dimensions (give them to "
              "Column::ragged, one for each open dimension of each document)");
}

TEST(OpenSquares, ASizeOfNothingMustBeThatOfAll) {
    const TensorType type = *TensorType::parse("tensor(s[],t[])");
    ColumnBuffer buffer(type, std::make_shared<LabelTable>());
    EXPECT_TRUE(buffer.append(*from_literal("tensor(s[0],t[0]):[]")));
    const Status status = buffer.append(*from_literal("tensor(s[2],t[0]):[[],[]]"));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message(),
              "a value of type tensor(s[2],t[0]) has no cells, but some of its sizes are not 0 (of the open dimensions "
              "of tensor(s[],t[]), all have indexes, or none)");
    Schema schema;
    schema.query("m", "tensor(s[],t[])");
    const auto plan = compile("sum(m)", schema);
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_FALSE(plan->bind({{"m", *from_literal("tensor(s[2],t[0]):[[],[]]")}}));
    EXPECT_TRUE(plan->bind({{"m", *from_literal("tensor(s[0],t[0]):[]")}}));
}

}  // namespace
}  // namespace tenrex
