// The same for operations that stand for several others, and for rows that have no labels.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "lib/forest/forest.h"
#include "tests/ir/verify_fixture.h"

namespace tenrex::ir {
namespace {

TEST_F(Verify, Regions) {
    const auto body = [](const char *of_type, Stage stage) {
        auto graph = std::make_shared<Graph>();
        const TensorType type = *TensorType::parse(of_type);
        const NodeId cells = graph->input(graph->add_input({"0", type, stage}));
        graph->add_output({"", graph->add(Op::apply, type, {&cells, 1}, Apply{ScalarFunction::relu})});
        return Region{std::move(graph)};
    };
    const auto problem = [&](const char *of_type, const Region &region) {
        inputs({"tensor(x[3])"});
        return wrong(Op::region, of_type, region);
    };
    EXPECT_EQ(problem("tensor(x[3])", body("tensor(x[3])", Stage::document)), "");
    EXPECT_EQ(problem("tensor(x[3])", Region()), "has no results");
    EXPECT_EQ(problem("tensor(x[4])", body("tensor(x[4])", Stage::document)),
              "has operands of other types than its operations read");
    EXPECT_EQ(problem("tensor<float>(x[3])", body("tensor(x[3])", Stage::document)),
              "has another type than the result of the region, or there is none");
    EXPECT_EQ(problem("tensor(x[3])", body("tensor(x[3])", Stage::query)),
              "has operands that are known at other stages than its operations read");
    Region broken = body("tensor(x[3])", Stage::document);
    auto graph = std::make_shared<Graph>();
    const NodeId cells = graph->input(graph->add_input({"0", *TensorType::parse("tensor(x[3])"), Stage::document}));
    graph->add_output({"", graph->add(Op::cast, *TensorType::parse("tensor(x[4])"), {&cells, 1})});
    broken.body = graph;
    EXPECT_TRUE(problem("tensor(x[4])", broken).starts_with("its dimensions do not follow"));
    inputs({"tensor(x[3])"});
    EXPECT_EQ(wrong(Op::region_result, "tensor(x[3])", RegionResult{1}), "is no result of a region");
}

TEST_F(Verify, Reshapes) {
    const auto problem = [&](const char *of_type, Reshape reshape) {
        inputs({"tensor(k{},x[6],y[2])"});
        return wrong(Op::reshape, of_type, std::move(reshape));
    };
    EXPECT_EQ(problem("tensor(a[2],b[3],k{},y[2])", {{"x"}, {{"b", 3}, {"a", 2}}}), "");
    EXPECT_EQ(problem("tensor(a[12],k{})", {{"y", "x"}, {{"a", 12}}}), "");
    EXPECT_EQ(problem("tensor(k{},x[6],y[2],z[1])", {{}, {{"z", 1}}}), "");
    EXPECT_EQ(problem("tensor(a[4],b[3],k{})", {{"x", "y"}, {{"b", 3}, {"a", 4}}}), "");
    EXPECT_EQ(problem("tensor(a[4],b[3],k{})", {{"x", "y"}, {{"a", 4}, {"b", 3}}}),
              "neither splits nor joins dimensions");
    EXPECT_EQ(problem("tensor(a[5],k{},y[2])", {{"x"}, {{"a", 5}}}), "neither splits nor joins dimensions");
    EXPECT_EQ(problem("tensor(k{},y[2])", {{"z"}, {}}), "its operand has no dimension z");
    EXPECT_EQ(problem("tensor(k{},y[2])", {{"x", "x"}, {{"a", 36}}}), "its operand has no dimension x");
    EXPECT_EQ(problem("tensor(x[6],y[2])", {{"k"}, {}}), "has no indexes along dimension k");
    EXPECT_EQ(problem("tensor(k{},y[2])", {{"x"}, {{"y", 6}}}), "has dimension y twice, or without a size");
}

TEST_F(Verify, Attention) {
    const Attention own{"x", "t", "s", "r"};
    const auto problem = [&](const char *of_type, std::initializer_list<const char *> types,
                             const Attention &attention) {
        inputs(types);
        return wrong(Op::attention, of_type, attention);
    };
    const char *const queries = "tensor<float>(h[2],t{},x[4])";
    const char *const keys = "tensor<float>(h[2],s[5],x[4])";
    const char *const values = "tensor<float>(h[2],r[5],y[3])";
    const char *const result = "tensor<float>(h[2],t{},y[3])";
    EXPECT_EQ(problem(result, {queries, keys, values}, own), "");
    EXPECT_EQ(problem("tensor<float>(h[2],t{})", {queries, keys, values}, own), not_as_operands_give("h[2],t{},y[3]"));
    EXPECT_EQ(problem(result, {queries, keys, values, "tensor(s[5],t{})"}, own), "has 4 operands");
    Attention masked = own;
    masked.masking = Masking::added;
    EXPECT_EQ(problem(result, {queries, keys, values}, masked), "has 3 operands");
    EXPECT_EQ(problem(result, {queries, keys, values, "tensor(h[2],s[5],t{})"}, masked), "");
    EXPECT_EQ(problem(result, {queries, keys, values, "tensor(s[6])"}, masked), "has no dimension s as its mask has");
    EXPECT_EQ(problem(result, {queries, keys, values, "tensor(x[4])"}, masked), "has no dimension x as its mask has");
    Attention rounded = own;
    rounded.is_rounded = true;
    EXPECT_EQ(problem(result,
                      {"tensor<bfloat16>(h[2],t{},x[4])", "tensor<bfloat16>(h[2],s[5],x[4])",
                       "tensor<bfloat16>(h[2],r[5],y[3])"},
                      rounded),
              "");
    EXPECT_EQ(problem(result, {queries, keys, values}, rounded),
              "rounds its weights to bfloat16, and multiplies other cells");
    const std::string lacks = "lacks a dimension that it names, or has other keys than values";
    EXPECT_EQ(problem(result, {queries, keys, "tensor<float>(h[2],r[6],y[3])"}, own), lacks);
    EXPECT_EQ(problem(result, {queries, keys, "tensor<float>(h[2],s[5],y[3])"}, own), lacks);
    EXPECT_EQ(problem(result, {"tensor<float>(g[2],t{},x[4])", keys, values}, own),
              "dimension g numbers heads of one operand only");
    EXPECT_EQ(problem(result, {queries, "tensor<float>(h[3],s[5],x[4])", values}, own),
              "dimension h numbers heads of one operand only");
    EXPECT_EQ(problem(result, {queries, keys, "tensor<float>(h[2],r[5],t[3])"}, own), "calls two dimensions t");
}

TEST_F(Verify, ExtremesOfRows) {
    const auto of_rows = [](std::vector<std::string> summed, std::vector<std::string> rows) {
        return RowExtreme{{}, std::move(summed), CellType::f64, Aggregator::max, std::move(rows)};
    };
    const auto problem = [&](const char *of_type, const RowExtreme &extreme) {
        inputs({"tensor(k{},m{},x[3])", "tensor(s[2],x[3])"});
        return wrong(Op::row_extreme, of_type, extreme);
    };
    EXPECT_EQ(problem("tensor(k{},s[2])", of_rows({"x"}, {"m"})), "");
    EXPECT_EQ(problem("tensor(k{},m{},s[2])", of_rows({"x"}, {"m"})), not_as_operands_give("k{},s[2]"));
    EXPECT_EQ(problem("tensor(k{},s[2])", of_rows({"x"}, {})), "has no rows");
    EXPECT_EQ(problem("tensor(s[2])", of_rows({"x", "k"}, {"m"})), "its operand has no dimension k");
    EXPECT_EQ(problem("tensor(k{},m{})", of_rows({"x"}, {"s"})), "dimension s is not one of its rows");
    EXPECT_EQ(problem("tensor(k{},m{},s[2])", of_rows({"x"}, {"x"})), "dimension x is not one of its rows");
}

TEST_F(Verify, ReducedJoins) {
    const auto problem = [&](const char *of_type, const JoinReduce &reduce) {
        inputs({"tensor(k{},x[3])", "tensor(k{},m{})"});
        return wrong(Op::join_reduce, of_type, reduce);
    };
    const ScalarFunction product = ScalarFunction::multiply;
    const CellType cells = CellType::f64;
    EXPECT_EQ(problem("tensor(m{},x[3])", {product, cells, Aggregator::sum, {"k"}}), "");
    EXPECT_EQ(problem("tensor(m{})", {std::nullopt, cells, Aggregator::count, {"k", "x"}}), "");
    EXPECT_EQ(problem("tensor(m{})", {product, cells, Aggregator::sum, {"k"}}), not_as_operands_give("m{},x[3]"));
    EXPECT_EQ(problem("tensor(m{})", {product, cells, Aggregator::sum, {"y"}}), "its operand has no dimension y");
    EXPECT_EQ(problem("tensor(m{},x[3])", {product, cells, Aggregator::median, {"k"}}),
              "takes the median of what is not stored");
    for (const auto &[function, aggregator] : {std::pair(std::optional(product), Aggregator::count),
                                               std::pair(std::optional<ScalarFunction>(), Aggregator::sum)}) {
        EXPECT_EQ(problem("tensor(m{},x[3])", {function, cells, aggregator, {"k"}}),
                  "computes cells only to count them, or aggregates cells that it does not compute");
    }
}

TEST_F(Verify, Forests) {
    forest::Forest forest;
    forest.initial = {0};
    forest.feature_names = {"a", "b", "c", "d"};
    const auto problem = [&](std::initializer_list<const char *> operands, const char *dimension, bool has_base) {
        inputs(operands);
        const std::string of_type = *dimension == 0 ? "double" : "tensor(" + std::string(dimension) + "[2])";
        return wrong(Op::forest, of_type.c_str(),
                     Forest{std::make_shared<const forest::Forest>(forest), dimension, has_base});
    };
    EXPECT_EQ(problem({"double", "tensor<float>(x[3])"}, "", false), "");
    EXPECT_EQ(problem({"double", "tensor<float>(x[3])", "double"}, "", true), "");
    EXPECT_EQ(problem({"double", "tensor<float>(x[2])"}, "", false), "has 3 features, not 4");
    EXPECT_EQ(problem({"double", "tensor<float>(x[3])"}, "", true),
              "begins with what is no number, or has several outputs");
    EXPECT_EQ(problem({"tensor(k{})"}, "", false), "has features under labels");
    EXPECT_EQ(problem({"tensor(x[4])"}, "class", false), "has a dimension for one output, or none for several");
    forest.outputs = 2;
    forest.initial = {0, 0};
    EXPECT_EQ(problem({"tensor(x[4])"}, "class", false), "");
    EXPECT_EQ(problem({"tensor(x[4])"}, "", false), "has a dimension for one output, or none for several");
    inputs({});
    EXPECT_EQ(wrong(Op::forest, "double", Forest()), "has no trees");
}

TEST_F(Verify, Rows) {
    inputs({"tensor(k{},x[2])", "tensor(k{})", "tensor(l{},y[3])"});
    EXPECT_EQ(wrong(Op::same_size, "tensor(k{},x[2])", SameSize()), "");
    inputs({"tensor(x[2])", "tensor(k{})", "tensor(k{},l{})"});
    EXPECT_EQ(wrong(Op::same_size, "tensor(x[2])", SameSize()),
              "compares numbers of rows that have not one label each");
    inputs({"tensor(k{},x[2])", "tensor(k{},x[2])"});
    EXPECT_EQ(wrong(Op::append, "tensor(k{},x[2])", Append{"k"}), "");
    EXPECT_EQ(wrong(Op::append, "tensor(k{},x[2])", Append{"x"}), "appends what are not rows of dimension x");
    inputs({"tensor(k{},x[2])", "tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::append, "tensor(k{},x[2])", Append{"k"}), "appends what are not rows of dimension k");
}

}  // namespace
}  // namespace tenrex::ir
