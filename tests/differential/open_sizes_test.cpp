// Open dimensions, compiled: documents of many lengths in one block against the reference evaluator, in blocks of
// several sizes, on every instruction set.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/differential/open_documents.h"

namespace tenrex {
namespace {

constexpr OpenInput tokens{"d", "tensor<float>(t[],x[32])", Stage::document};
constexpr OpenInput query{"q", "tensor<float>(s[],x[32])", Stage::query, 5};
constexpr OpenInput numbers{"n", "tensor(t[])", Stage::document};

TEST(OpenSizes, CellByCell) {
    compare_open({"d*2+exp(d)", {tokens}});
    compare_open({"n*n-n", {numbers}});
    compare_open({"d*n", {tokens, numbers}});
    compare_open({"map(d,f(v)(v*v+1))+n", {tokens, numbers}});
    compare_open({"d*w", {tokens, {"w", "tensor<float>(x[32])", Stage::query}}});
    compare_open({"if(sum(n)>0,n*2,n)", {numbers}});
    compare_open({"cell_cast(d,bfloat16)", {tokens}});
    compare_open({"d", {{"d", "tensor<int8>(h[3],t[],x[5])", Stage::document}}});
    compare_open(
        {"a*d", {{"a", "tensor<bfloat16>(t[])", Stage::document}, {"d", "tensor<int8>(h[3],t[])", Stage::document}}});
}

TEST(OpenSizes, Reductions) {
    for (const char *aggregator : {"sum", "max", "min", "prod", "avg", "count", "median"}) {
        for (const char *over : {"t", "x", "t,x"}) {
            compare_open({("reduce(d," + std::string(aggregator) + "," + over + ")").c_str(),
                          {{"d", "tensor<float>(t[],x[5])", Stage::document}}});
        }
    }
    compare_open({"sum(n)+max(n,t)", {numbers}});
    compare_open({"sum(d*n)", {tokens, numbers}});
    compare_open({"sum(sum(d,t)*sum(d,t))", {tokens}});
}

TEST(OpenSizes, LateInteraction) {
    compare_open({"sum(reduce(sum(q*d,x),max,t),s)", {query, tokens}});
    compare_open({"reduce(sum(q*d,x),max,t)", {query, tokens}});
    compare_open({"sum(exp(reduce(sum(q*d,x),max,t)))", {query, tokens}});
    compare_open({"sum(reduce(sum(q*d,x),max,t),s)", {{"q", "tensor<float>(s{},x[32])", Stage::query}, tokens}});
    compare_open({"sum(reduce(sum(q*d,x),max,t),s)",
                  {{"q", "tensor<bfloat16>(s[],x[32])", Stage::query, 7},
                   {"d", "tensor<bfloat16>(t[],x[32])", Stage::document}}});
    compare_open(
        {"sum(reduce(sum(q*d,x),max,t),s)",
         {{"q", "tensor<int8>(s[],x[32])", Stage::query, 7}, {"d", "tensor<int8>(t[],x[32])", Stage::document}}});
}

TEST(OpenSizes, ProductsWithWeights) {
    compare_open({"sum(d*w,x)", {tokens, {"w", "tensor<float>(x[32],y[24])", Stage::query}}});
    compare_open(
        {"relu(sum(d*w,x)+b)",
         {tokens, {"w", "tensor<float>(x[32],y[24])", Stage::query}, {"b", "tensor<float>(y[24])", Stage::query}}});
}

TEST(OpenSizes, RowsOfADocumentWithEachOther) {
    compare_open({"softmax(n,t)", {numbers}});
    compare_open({"l2_normalize(d,x)", {tokens}});
    compare_open({"n/sum(n,t)", {numbers}});
    compare_open({"sum(softmax(sum(d*rename(d,t,u),x)*0.1,u)*rename(d,t,u),u)",
                  {{"d", "tensor<float>(t[],x[4])", Stage::document}}});
}

TEST(OpenSizes, RowsMove) {
    compare_open({"concat(n,n*2,t)", {numbers}});
    compare_open({"concat(7,d,t)", {tokens}});
    compare_open({"concat(d,d*2,x)", {tokens}});
    compare_open({"rename(d,t,a)", {tokens}});
    compare_open({"d{t:0}+d{t:5}", {tokens}});
    compare_open({"d{t:(i)}", {tokens, {"i", "double", Stage::query}}});
    compare_open({"d{x:3}", {tokens}});
    compare_open({"tensor(y[70])(n{t:(y)})", {numbers}});
    compare_open({"cell_order(n,max)", {numbers}});
    compare_open({"cell_order(n*0,min)", {numbers}});
}

TEST(OpenSizes, BesideLabels) {
    const OpenInput labels{"m", "tensor(k{})", Stage::document};
    compare_open({"sum(n*m,t)", {numbers, labels}});
    compare_open({"sum(n*m,k)", {numbers, labels}});
    compare_open({"sum(map_subspaces(n*m,f(b)(max(b,t))))", {numbers, labels}});
    compare_open({"sum(filter_subspaces(n*m,f(b)(sum(b)>0)))", {numbers, labels}});
}

// Three documents with 2, 1 and 2 rows of a, and with rows of b that are given.
std::string outcome(std::vector<std::uint64_t> offsets_of_b, std::size_t first = 0) {
    Schema schema;
    schema.document("a", "tensor(t[])").document("b", "tensor(t[])");
    const auto plan = compile("sum(a*b)", schema);
    const double cells[] = {1, 2, 3, 4, 5};
    const std::uint64_t offsets_of_a[] = {0, 2, 3, 5};
    const Column columns[] = {Column::ragged(offsets_of_a, cells), Column::ragged(offsets_of_b.data(), cells)};
    const auto bound = plan->bind({});
    Context context(*plan);
    std::vector<double> scores(3 - first);
    std::string text;
    const Status status = bound->evaluate({3 - first, columns, first}, context, scores);
    for (const double score : scores) {
        text += std::to_string(static_cast<int>(score)) + " ";
    }
    return status ? text : status.error().message();
}

TEST(OpenSizes, ADocumentWithOtherSizesIsNamed) {
    EXPECT_EQ(outcome({0, 2, 3, 5}), "5 9 41 ");
    EXPECT_EQ(outcome({0, 2, 3, 5}, 1), "9 41 ");
    EXPECT_EQ(
        outcome({0, 2, 4, 5}),
        "document 1: dimension 't' has size 1 in 'a' and 2 in 'b' (values that are joined must have the same size "
        "there)");
    EXPECT_EQ(
        outcome({0, 2, 3, 3}, 2),
        "document 2: dimension 't' has size 2 in 'a' and 0 in 'b' (values that are joined must have the same size "
        "there)");
}

TEST(OpenSizes, ColumnsMustFit) {
    Schema schema;
    schema.document("a", "tensor(t[])");
    const auto plan = compile("sum(a)", schema);
    const auto bound = plan->bind({});
    Context context(*plan);
    double score = 0;
    const double cells[] = {1, 2};
    const Column dense[] = {Column::dense(cells, sizeof(double))};
    EXPECT_FALSE(bound->evaluate({1, dense}, context, {&score, 1}));
    const std::uint64_t offsets[] = {0, 2};
    const Column without_cells[] = {Column::ragged(offsets, nullptr)};
    EXPECT_FALSE(bound->evaluate({1, without_cells}, context, {&score, 1}));
    const std::uint64_t none[] = {0, 0};
    const Column empty[] = {Column::ragged(none, nullptr)};
    EXPECT_TRUE(bound->evaluate({1, empty}, context, {&score, 1}));
    EXPECT_EQ(score, 0);
    ColumnBuffer buffer(*TensorType::parse("tensor(t[])"), plan->labels());
    EXPECT_FALSE(buffer.append(*from_literal("tensor(u[2]):[1,2]")));
}

TEST(OpenSizes, OutputsAreRowsInMemoryOfTheCaller) {
    Schema schema;
    schema.document("d", "tensor<float>(h[2],t[])");
    const auto plan = compile("concat(d,d*2,t)", schema);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto bound = plan->bind({});
    Context context(*plan);
    const std::uint64_t offsets[] = {0, 1, 1, 3};
    const float rows[] = {1, 2, 3, 4, 5, 6};
    const Column columns[] = {Column::ragged(offsets, rows)};
    std::uint64_t offsets_of_result[4];
    float result[12];
    const OutputColumn outputs[] = {OutputColumn::ragged(offsets_of_result, result, 6)};
    ASSERT_TRUE(bound->evaluate({3, columns}, context, outputs));
    EXPECT_EQ(std::vector<std::uint64_t>(offsets_of_result, offsets_of_result + 4),
              (std::vector<std::uint64_t>{0, 2, 2, 6}));
    EXPECT_EQ(std::vector<float>(result, result + 12), (std::vector<float>{1, 2, 2, 4, 3, 4, 5, 6, 6, 8, 10, 12}));
    const OutputColumn too_few[] = {OutputColumn::ragged(offsets_of_result, result, 5)};
    EXPECT_FALSE(bound->evaluate({3, columns}, context, too_few));
    const OutputColumn dense[] = {OutputColumn::dense(result, sizeof(float), sizeof(result))};
    EXPECT_FALSE(bound->evaluate({3, columns}, context, dense));
}

TEST(OpenSizes, WhatIsNotCompiledSaysSo) {
    Schema schema;
    schema.document("a", "tensor(s[])").document("b", "tensor(t[])").document("k", "tensor(k{},t[])");
    for (const auto &[expression, message] :
         {std::pair("k",
                    "the input 'k' of type tensor(k{},t[]), with labels beside an open dimension, is not compiled"),
          {"concat(a*b,a*b,t)", "a concat along one of several open or mapped dimensions is not compiled"},
          {"cell_order(a*b,max)",
           "an order of cells whose open dimension is not the first one by name is not "
           "compiled"}}) {
        const auto whole = compile(expression, schema);
        ASSERT_FALSE(whole) << expression;
        EXPECT_EQ(whole.error().message(), std::string(message) + " (the reference evaluator takes it)");
    }
}

}  // namespace
}  // namespace tenrex
