// Operators that came after the node tests that Debian has, against older ones and numbers worked out by hand.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::newer_operators_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Given {
    std::vector<std::string> nodes;
    std::vector<std::string> initializers = {};
};

// Six tokens of four cells, of which the mask counts four.
const std::vector<NamedTensor> &values() {
    static const std::vector<NamedTensor> all{
        {"x",
         *from_literal("tensor<float>(d0[1],d1[6],d2[4]):[[[1,2,3,4],[-1,0,1,2],[0.5,0.5,0,-2],[3,1,0,0],[1,1,2,2],[0,"
                       "-3,1,0]]]")},
        {"y",
         *from_literal("tensor<float>(d0[1],d1[6],d2[4]):[[[0,1,0,1],[2,0,-1,1],[1,1,1,1],[0,0,2,-1],[1,-1,0.5,2],[3,"
                       "0,0,1]]]")},
        {"mask", *from_literal("tensor(d0[1],d1[6]):[[1,1,0,1,1,0]]")}};
    return all;
}

Result<OnnxModel> imported(const Given &given, bool is_fixed) {
    OnnxOptions options{.name = "m"};
    if (is_fixed) {
        options.sizes = {{"n", 6}};
    }
    return OnnxModel::read(
        model({given.nodes,
               given.initializers,
               {port("x", {"batch", "n", "4"}), port("y", {"batch", "n", "4"}), port("mask", {"batch", "n"}, 9)},
               {port("out", {"batch"})},
               26}),
        options);
}

// The reference evaluator's value, after the compiled one was compared with it.
Tensor value_of(const Given &given, bool is_fixed) {
    const auto model = imported(given, is_fixed);
    if (!model) {
        ADD_FAILURE() << model.error().render();
        return Tensor(0);
    }
    const auto expression = Expression::parse("onnx(m)", schema_with(*model));
    const auto plan = expression ? compile(*expression) : Result<Plan>(expression.error());
    const auto value = expression ? expression->evaluate_reference(values()) : Result<Tensor>(expression.error());
    const auto compiled = plan ? evaluated(*plan, {values()}) : Result<std::vector<Tensor>>(plan.error());
    if (!value || !compiled) {
        ADD_FAILURE() << (value ? compiled.error() : value.error()).render();
        return Tensor(0);
    }
    EXPECT_EQ(compiled->front().cell_count(), value->cell_count());
    for (std::size_t i = 0; i < std::min(compiled->front().cell_count(), value->cell_count()); ++i) {
        EXPECT_NEAR(compiled->front().cell(i), value->cell(i), 1e-5 * (1 + std::abs(value->cell(i)))) << "cell " << i;
    }
    return *value;
}

std::vector<double> cells_of(const Tensor &tensor) {
    std::vector<double> cells;
    for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
        cells.push_back(tensor.cell(i));
    }
    return cells;
}

// The newer operator, for any length and for the one that there is, gives what the others give.
void expect_equal(const Given &newer, const Given &others) {
    const Tensor expected = value_of(others, true);
    ASSERT_GT(expected.cell_count(), 1U);
    for (const bool is_fixed : {true, false}) {
        const Tensor value = value_of(newer, is_fixed);
        ASSERT_EQ(value.type().to_string(), expected.type().to_string());
        for (std::size_t i = 0; i < expected.cell_count(); ++i) {
            ASSERT_NEAR(value.cell(i), expected.cell(i), 1e-5 * (1 + std::abs(expected.cell(i)))) << "cell " << i;
        }
    }
}

std::string failure_of(const Given &given) {
    const auto model = imported(given, false);
    return model ? std::string() : model.error().render();
}

std::vector<std::string> two_heads(std::vector<std::string> more = {}) {
    more.push_back(integer_attribute("q_num_heads", 2));
    more.push_back(integer_attribute("kv_num_heads", 2));
    return more;
}

// Attention of two heads out of older operators; `bias` is added to the scores, if it is not empty.
Given decomposed(const std::string &bias, std::vector<std::string> nodes = {},
                 std::vector<std::string> initializers = {}) {
    const std::string order = integers_attribute("perm", {0, 2, 1, 3});
    for (const auto &[from, to] : {std::pair("x", "q"), std::pair("y", "k"), std::pair("x", "v")}) {
        nodes.push_back(node("Reshape", {from, "split"}, {std::string(to) + "4"}));
        nodes.push_back(node("Transpose", {std::string(to) + "4"}, {to},
                             {std::string_view(to) == "k" ? integers_attribute("perm", {0, 2, 3, 1}) : order}));
    }
    nodes.push_back(node("MatMul", {"q", "k"}, {"products"}));
    nodes.push_back(node("Mul", {"products", "scale"}, {"scores"}));
    nodes.push_back(bias.empty() ? node("Identity", {"scores"}, {"masked"})
                                 : node("Add", {"scores", bias}, {"masked"}));
    nodes.push_back(node("Softmax", {"masked"}, {"shares"}, {integer_attribute("axis", -1)}));
    nodes.push_back(node("MatMul", {"shares", "v"}, {"mixed"}));
    nodes.push_back(node("Transpose", {"mixed"}, {"turned"}, {order}));
    nodes.push_back(node("Reshape", {"turned", "joined"}, {"out"}));
    initializers.push_back(integer_tensor("split", {0, 0, 2, 2}));
    initializers.push_back(integer_tensor("joined", {0, 0, 4}));
    initializers.push_back(float_tensor("scale", {}, {std::sqrt(0.5F)}));
    return {std::move(nodes), std::move(initializers)};
}

std::vector<float> pairs_where(bool (*sees)(int to, int from)) {
    std::vector<float> bias;
    for (int to = 0; to < 6; ++to) {
        for (int from = 0; from < 6; ++from) {
            bias.push_back(sees(to, from) ? 0 : -INFINITY);
        }
    }
    return bias;
}

TEST(NewerOperators, AttentionOfRowsWithHeads) {
    expect_equal({{node("Attention", {"x", "y", "x"}, {"out"}, two_heads())}}, decomposed(""));
    expect_equal({{node("Attention", {"x", "y", "x"}, {"out"}, two_heads({integer_attribute("is_causal", 1)}))}},
                 decomposed("bias", {},
                            {float_tensor("bias", {6, 6}, pairs_where([](int to, int from) { return from <= to; }))}));
    expect_equal(
        {{node("Attention", {"x", "y", "x"}, {"out"},
               two_heads({integer_attribute("left_window_size", 1), integer_attribute("right_window_size", 2)}))}},
        decomposed("bias", {}, {float_tensor("bias", {6, 6}, pairs_where([](int to, int from) {
                                                 return from - to <= 2 && to - from <= 1;
                                             }))}));
}

TEST(NewerOperators, AttentionWithAMaskOfTokens) {
    const std::string axes = integer_tensor("axes", {1, 2});
    const std::string row = node("Unsqueeze", {"mask", "axes"}, {"row"});
    const std::vector<std::string> numbers{float_tensor("zero", {}, {0}), float_tensor("low", {}, {-INFINITY}), axes};
    const std::string bias = node("Where", {"row", "zero", "low"}, {"bias"});
    const Given expected = decomposed("bias", {row, bias}, numbers);
    expect_equal({{row, node("Attention", {"x", "y", "x", "row"}, {"out"}, two_heads())}, {axes}}, expected);
    expect_equal({{row, bias, node("Attention", {"x", "y", "x", "bias"}, {"out"}, two_heads())}, numbers}, expected);
}

// A mask without an axis for queries, which is known.
TEST(NewerOperators, AttentionWithAMaskForAll) {
    const std::string row = float_tensor("row", {1, 6}, {0, 0, -INFINITY, 0, 0, -INFINITY});
    const Given expected = decomposed("row", {}, {row});
    const Tensor value = value_of({{node("Attention", {"x", "y", "x", "row"}, {"out"}, two_heads())}, {row}}, true);
    const Tensor other = value_of(expected, true);
    for (std::size_t i = 0; i < other.cell_count(); ++i) {
        EXPECT_NEAR(value.cell(i), other.cell(i), 1e-5 * (1 + std::abs(other.cell(i)))) << "cell " << i;
    }
}

// It has nothing, whatever scores it has.
TEST(NewerOperators, WhoSeesNobodyHasZeros) {
    const Given given{{node("Sub", {"x", "x"}, {"none"}), node("ReduceSum", {"none", "last"}, {"sums"}),
                       node("Cast", {"sums"}, {"no one"}, {integer_attribute("to", 9)}),
                       node("Transpose", {"no one"}, {"row"}, {integers_attribute("perm", {0, 2, 1})}),
                       node("Attention", {"x", "y", "x", "row"}, {"out"}, two_heads())},
                      {integer_tensor("last", {-1})}};
    for (const bool is_fixed : {true, false}) {
        EXPECT_EQ(cells_of(value_of(given, is_fixed)), std::vector<double>(24));
    }
}

TEST(NewerOperators, AttentionThatDoesNotFitIsRefused) {
    EXPECT_THAT(failure_of({{node("Attention", {"x", "y", "x"}, {"out"})}}),
                HasSubstr("operator Attention of ai.onnx opset 26: input 0 of shape [1,n,4] does not fit 0 heads"));
    EXPECT_THAT(failure_of({{node("Attention", {"x", "y", "x"}, {"out"},
                                  {integer_attribute("q_num_heads", 2), integer_attribute("kv_num_heads", 4)})}}),
                HasSubstr("do not fit each other"));
    EXPECT_THAT(failure_of({{node("Attention", {"x", "y", "x", "w"}, {"out"}, two_heads())},
                            {float_tensor("w", {5, 5}, std::vector<float>(25))}}),
                HasSubstr("a mask of shape [5,5] does not fit scores of shape [1,2,n,n]"));
}

TEST(NewerOperators, RotationsByPlaces) {
    const Given given{
        {node("RotaryEmbedding", {"x", "cosines", "sines"}, {"out"}, {integer_attribute("num_heads", 2)})},
        {float_tensor("cosines", {1, 6, 1}, {1, 0, 1, 0, 1, 0.5F}),
         float_tensor("sines", {1, 6, 1}, {0, 1, 1, -1, 0, 0.5F})}};
    // Pairs (a, b) become (a*cos - b*sin, a*sin + b*cos).
    EXPECT_THAT(cells_of(value_of(given, true)),
                ElementsAre(1, 2, 3, 4, 0, -1, -2, 1, 0, 1, 2, -2, 1, -3, 0, 0, 1, 1, 2, 2, 1.5, -1.5, 0.5, 0.5));
    EXPECT_THAT(failure_of({{node("RotaryEmbedding", {"x", "x", "x"}, {"out"}, {integer_attribute("num_heads", 4)})}}),
                HasSubstr("1 of 1 cells cannot be turned in pairs"));
}

TEST(NewerOperators, Gates) {
    const std::vector<std::string> half{float_tensor("half", {}, {0.5F})};
    const std::vector<std::string> gate{node("Mul", {"x", "half"}, {"h"}), node("Sigmoid", {"h"}, {"s"})};
    const std::string alpha = real_attribute("alpha", 0.5F);
    expect_equal({{node("Swish", {"x"}, {"out"}, {alpha})}},
                 {{gate[0], gate[1], node("Mul", {"x", "s"}, {"out"})}, half});
    expect_equal({{node("SwiGLU", {"x", "y"}, {"out"}, {alpha})}},
                 {{gate[0], gate[1], node("Mul", {"x", "s"}, {"g"}), node("Mul", {"g", "y"}, {"out"})}, half});
}

TEST(NewerOperators, GroupsOfChannels) {
    const std::string turned = node("Transpose", {"x"}, {"channels"}, {integers_attribute("perm", {0, 2, 1})});
    const std::vector<std::string> weights{
        float_tensor("s", {4}, {1, 2, 3, 4}),     float_tensor("b", {4}, {0, 1, 0, 1}),
        float_tensor("s1", {4, 1}, {1, 2, 3, 4}), float_tensor("b1", {4, 1}, {0, 1, 0, 1}),
        float_tensor("e", {}, {1e-5F}),           integer_tensor("split", {1, 2, 2, -1}),
        integer_tensor("whole", {1, 4, -1})};
    const std::string axes = integers_attribute("axes", {2, 3});
    expect_equal(
        {{turned, node("GroupNormalization", {"channels", "s", "b"}, {"out"}, {integer_attribute("num_groups", 2)})},
         weights},
        {{turned, node("Reshape", {"channels", "split"}, {"groups"}),
          node("MeanVarianceNormalization", {"groups"}, {"normal"}, {axes}),
          node("Reshape", {"normal", "whole"}, {"n"}), node("Mul", {"n", "s1"}, {"p"}),
          node("Add", {"p", "b1"}, {"out"})},
         weights});
}

TEST(NewerOperators, ProductsOfThoseBefore) {
    const std::vector<std::string> axis{shaped_integer_tensor("axis", {}, {2})};
    EXPECT_THAT(cells_of(value_of(
                    {{node("CumProd", {"x", "axis"}, {"out"}, {integer_attribute("exclusive", 1)})}, axis}, false)),
                ElementsAre(1, 1, 2, 6, 1, -1, 0, 0, 1, 0.5, 0.25, 0, 1, 3, 3, 0, 1, 1, 1, 2, 1, 0, 0, 0));
    EXPECT_THAT(
        cells_of(value_of({{node("CumProd", {"x", "axis"}, {"out"}, {integer_attribute("reverse", 1)})}, axis}, false)),
        ElementsAre(24, 24, 12, 4, 0, 0, 2, 2, 0, 0, 0, -2, 0, 0, 0, 0, 4, 4, 4, 2, 0, 0, 0, 0));
}

TEST(NewerOperators, BitsOfWholeNumbers) {
    const auto cells = [](const std::string &op, int type) {
        const std::string cast = integer_attribute("to", type);
        const std::vector<std::string> inputs =
            op == "BitwiseNot" ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "b"};
        return cells_of(value_of(
            {{node("Cast", {"p"}, {"a"}, {cast}), node("Cast", {"q"}, {"b"}, {cast}), node(op, inputs, {"out"})},
             {integer_tensor("p", {12, 255, -1, -6}), integer_tensor("q", {10, 7, 77, -4})}},
            false));
    };
    constexpr int u8 = 2, i8 = 3, i32 = 6, i64 = 7;
    for (const int type : {i32, i64}) {
        EXPECT_THAT(cells("BitwiseAnd", type), ElementsAre(8, 7, 77, -8));
        EXPECT_THAT(cells("BitwiseOr", type), ElementsAre(14, 255, -1, -2));
        EXPECT_THAT(cells("BitwiseXor", type), ElementsAre(6, 248, -78, 6));
        EXPECT_THAT(cells("BitwiseNot", type), ElementsAre(-13, -256, 0, 5));
    }
    EXPECT_THAT(cells("BitwiseAnd", u8), ElementsAre(8, 7, 77, 248));
    EXPECT_THAT(cells("BitwiseNot", u8), ElementsAre(243, 0, 0, 5));
    EXPECT_THAT(cells("BitwiseXor", i8), ElementsAre(6, -8, -78, 6));
}

}  // namespace
}  // namespace tenrex::onnx::newer_operators_test
