// Operators that make axes longer or shorter whose sizes come with the values.
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/onnx/open_cases.h"

namespace tenrex::onnx::open_lengths_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

void check(const std::vector<Case> &cases) {
    for (const Case &one : cases) {
        for (const bool compiled : {false, true}) {
            EXPECT_EQ(value_of(one, 3, compiled), one.expected) << one.name << (compiled ? ", compiled" : "");
            // No token is no error, and both agree.
            EXPECT_EQ(value_of(one, 0, compiled), value_of(one, 0, false)) << one.name;
            EXPECT_THAT(value_of(one, 0, compiled), HasSubstr("(d0[")) << one.name;
            EXPECT_EQ(value_of(one, 1, compiled), value_of(one, 1, false)) << one.name;
        }
    }
}

TEST(OpenLengths, TensorsFollowEachOther) {
    const std::string axis = integer_attribute("axis", 1);
    const std::string front = float_tensor("front", {1, 1, 2}, {-1, -2});
    check({
        {"a token before",
         {node("Concat", {"front", "x"}, {"out"}, {axis})},
         {front},
         "tensor<float>(d0[1],d1[4],d2[2]):[[[-1,-2],[0,1],[2,3],[4,5]]]"},
        {"a token behind",
         {node("Concat", {"x", "front"}, {"out"}, {axis})},
         {front},
         "tensor<float>(d0[1],d1[4],d2[2]):[[[0,1],[2,3],[4,5],[-1,-2]]]"},
        {"twice",
         {node("Concat", {"x", "x"}, {"out"}, {axis})},
         {},
         "tensor<float>(d0[1],d1[6],d2[2]):[[[0,1],[2,3],[4,5],[0,1],[2,3],[4,5]]]"},
        {"a token of its own for each position behind it",
         {node("Concat", {"front", "x"}, {"longer"}, {axis}), node("Shape", {"longer"}, {"s"}),
          node("Gather", {"s", "one"}, {"n"}), node("Range", {"zero", "n", "one"}, {"positions"}),
          node("Gather", {"table", "positions"}, {"rows"}), node("Add", {"longer", "rows"}, {"out"})},
         {front, shaped_integer_tensor("one", {}, {1}), shaped_integer_tensor("zero", {}, {0}),
          float_tensor("table", {5, 2}, {10, 10, 20, 20, 30, 30, 40, 40, 50, 50})},
         "tensor<float>(d0[1],d1[4],d2[2]):[[[9,8],[20,21],[32,33],[44,45]]]"},
        {"attention over a token more",
         {node("Concat", {"front", "x"}, {"longer"}, {axis}),
          node("Transpose", {"longer"}, {"turned"}, {integers_attribute("perm", {0, 2, 1})}),
          node("MatMul", {"longer", "turned"}, {"scores"}),
          node("ReduceSum", {"scores", "last"}, {"out"}, {integer_attribute("keepdims", 0)})},
         {front, integer_tensor("last", {-1})},
         // Products with (-1,-2), (0,1), (2,3), (4,5); the sum of all is (5,7).
         "tensor<float>(d0[1],d1[4]):[[-19,7,31,55]]"},
        {"the length and one more",
         {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "one"}, {"n"}), node("Add", {"n", "one"}, {"more"}),
          node("Cast", {"more"}, {"out"}, {integer_attribute("to", 1)})},
         {integer_tensor("one", {1})},
         "tensor<float>(d0[1]):[4]"},
    });
}

TEST(OpenLengths, TensorsAreRepeatedAndPadded) {
    check({
        {"tiles",
         {node("Tile", {"x", "repeats"}, {"out"})},
         {integer_tensor("repeats", {1, 2, 2})},
         "tensor<float>(d0[1],d1[6],d2[4]):[[[0,1,0,1],[2,3,2,3],[4,5,4,5],[0,1,0,1],[2,3,2,3],[4,5,4,5]]]"},
        {"zeros around",
         {node("Pad", {"x", "pads"}, {"out"})},
         {integer_tensor("pads", {0, 1, 0, 0, 2, 1})},
         "tensor<float>(d0[1],d1[6],d2[3]):[[[0,0,0],[0,1,0],[2,3,0],[4,5,0],[0,0,0],[0,0,0]]]"},
        {"a number in front",
         {node("Pad", {"x", "pads", "seven"}, {"out"})},
         {integer_tensor("pads", {0, 1, 0, 0, 0, 0}), float_tensor("seven", {}, {7})},
         "tensor<float>(d0[1],d1[4],d2[2]):[[[7,7],[0,1],[2,3],[4,5]]]"},
    });
}

TEST(OpenLengths, PartsAreTaken) {
    const std::string front = float_tensor("front", {1, 1, 2}, {-1, -2});
    const std::string longer = node("Concat", {"front", "x"}, {"longer"}, {integer_attribute("axis", 1)});
    const auto number = [](std::string_view name, std::int64_t value) { return integer_tensor(name, {value}); };
    check({
        {"without the token in front",
         {longer, node("Slice", {"longer", "one", "end", "one"}, {"out"})},
         {front, number("one", 1), number("end", 0x7fffffffffffffff)},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,1],[2,3],[4,5]]]"},
        {"without the last one",
         {longer, node("Slice", {"longer", "zero", "minus", "one"}, {"out"})},
         {front, number("one", 1), number("zero", 0), number("minus", -1)},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[-1,-2],[0,1],[2,3]]]"},
        {"the last token",
         {node("Slice", {"x", "minus", "end", "one"}, {"out"})},
         {number("one", 1), number("minus", -1), number("end", 0x7fffffffffffffff)},
         "tensor<float>(d0[1],d1[1],d2[2]):[[[4,5]]]"},
        {"the second of two copies",
         {node("Tile", {"x", "repeats"}, {"copies"}), node("Shape", {"x"}, {"s"}), node("Gather", {"s", "one"}, {"n"}),
          node("Slice", {"copies", "n", "end", "one"}, {"out"})},
         {integer_tensor("repeats", {1, 2, 1}), number("one", 1), number("end", 0x7fffffffffffffff)},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,1],[2,3],[4,5]]]"},
        {"split again",
         {longer, node("Shape", {"x"}, {"s"}), node("Gather", {"s", "one"}, {"n"}),
          node("Concat", {"one", "n"}, {"parts"}, {integer_attribute("axis", 0)}),
          node("Split", {"longer", "parts"}, {"first", "rest"}, {integer_attribute("axis", 1)}),
          node("Add", {"rest", "first"}, {"out"})},
         {front, number("one", 1)},
         "tensor<float>(d0[1],d1[3],d2[2]):[[[-1,-1],[1,1],[3,3]]]"},
        {"the numbers from one on",
         {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "one"}, {"n"}), node("Add", {"n", "one"}, {"more"}),
          node("Range", {"one", "more", "one"}, {"out"})},
         {shaped_integer_tensor("one", {}, {1})},
         "tensor(d0[3]):[1,2,3]"},
    });
}

TEST(OpenLengths, TheBestAreFound) {
    const auto best = [](std::vector<std::string> attributes, const std::string &output) {
        return std::vector<std::string>{
            node("Mul", {"x", "signs"}, {"y"}),
            node("TopK", {"y", "two"}, {output == "values" ? "out" : "values", output == "values" ? "indexes" : "out"},
                 std::move(attributes))};
    };
    const std::vector<std::string> constants{float_tensor("signs", {2}, {1, -1}), integer_tensor("two", {2})};
    check({
        {"the largest", best({integer_attribute("axis", 1)}, "values"), constants,
         "tensor<float>(d0[1],d1[2],d2[2]):[[[4,-1],[2,-3]]]"},
        {"their places", best({integer_attribute("axis", 1)}, "indexes"), constants,
         "tensor(d0[1],d1[2],d2[2]):[[[2,0],[1,1]]]"},
        {"the smallest", best({integer_attribute("axis", 1), integer_attribute("largest", 0)}, "values"), constants,
         "tensor<float>(d0[1],d1[2],d2[2]):[[[0,-5],[2,-3]]]"},
        {"of each token", best({integer_attribute("axis", 2)}, "values"), constants,
         "tensor<float>(d0[1],d1[3],d2[2]):[[[0,-1],[2,-3],[4,-5]]]"},
    });
    // Fewer than asked for: zeros, and no index.
    EXPECT_EQ(value_of({"one", best({integer_attribute("axis", 1)}, "values"), constants, {}}, 1, true),
              "tensor<float>(d0[1],d1[2],d2[2]):[[[0,-1],[0,0]]]");
    EXPECT_EQ(value_of({"one", best({integer_attribute("axis", 1)}, "indexes"), constants, {}}, 1, true),
              "tensor(d0[1],d1[2],d2[2]):[[[0,0],[-1,-1]]]");
}

TEST(OpenLengths, OnesStandAtIndexes) {
    const std::vector<std::string> whole{
        node("ReduceMax", {"x"}, {"most"}, {integers_attribute("axes", {2}), integer_attribute("keepdims", 0)}),
        node("Cast", {"most"}, {"i"}, {integer_attribute("to", 7)})};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> nodes = whole;
        nodes.insert(nodes.end(), more.begin(), more.end());
        return nodes;
    };
    check({
        {"one hot",
         with({node("OneHot", {"i", "depth", "values"}, {"out"})}),
         {integer_tensor("depth", {4}), float_tensor("values", {2}, {0.5F, 2})},
         // Indexes 1, 3, 5.
         "tensor<float>(d0[1],d1[3],d2[4]):[[[0.5,2,0.5,0.5],[0.5,0.5,0.5,2],[0.5,0.5,0.5,0.5]]]"},
        {"one hot with an infinite value",
         with({node("OneHot", {"i", "depth", "values"}, {"hot"}, {integer_attribute("axis", 1)}),
               node("Exp", {"hot"}, {"out"})}),
         {integer_tensor("depth", {2}), float_tensor("values", {2}, {-1.0F / 0.0F, 0})},
         "tensor<float>(d0[1],d1[2],d2[3]):[[[0,0,0],[1,0,0]]]"},
        {"a diagonal",
         {node("Squeeze", {"x", "zero"}, {"rows"}), node("Transpose", {"rows"}, {"columns"}),
          node("MatMul", {"rows", "columns"}, {"square"}),
          node("EyeLike", {"square"}, {"eye"}, {integer_attribute("k", 1)}), node("MatMul", {"eye", "rows"}, {"out"})},
         {integer_tensor("zero", {0})},
         "tensor<float>(d0[3],d1[2]):[[2,3],[4,5],[0,0]]"},
    });
}

TEST(OpenLengths, WhatCannotBeKnownIsRefused) {
    const auto problem = [](std::vector<std::string> nodes, std::vector<std::string> initializers) {
        return value_of({"", std::move(nodes), std::move(initializers), {}}, 3, false);
    };
    // A text may have one token.
    EXPECT_THAT(
        problem({node("Slice", {"x", "one", "minus", "one"}, {"out"})},
                {integer_tensor("one", {1}), integer_tensor("minus", {-1})}),
        HasSubstr("node 0 'the_Slice', operator Slice of ai.onnx opset 17: how many indexes the range from 1 to -1 "
                  "of an axis of size sequence has is not known, for the axis may be shorter\n  hint: import the "
                  "model with a size for each axis"));
    EXPECT_THAT(problem({node("Slice", {"x", "zero", "two", "one"}, {"out"})},
                        {integer_tensor("zero", {0}), integer_tensor("two", {2}), integer_tensor("one", {1})}),
                HasSubstr("the range from 0 to 2 of an axis of size sequence has"));
    EXPECT_THAT(problem({node("Pad", {"x", "pads"}, {"out"}, {text_attribute("mode", "reflect")})},
                        {integer_tensor("pads", {0, 1, 0, 0, 1, 0})}),
                HasSubstr("hint: import the model with a size for 'sequence'"));
    EXPECT_THAT(problem({node("Tile", {"x", "repeats"}, {"out"})}, {integer_tensor("repeats", {1, 100, 1})}),
                HasSubstr("operator Tile"));
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t hostile : {least, least + 63, -(least / 2)}) {
        EXPECT_THAT(
            problem({node("Pad", {"x", "pads"}, {"out"})}, {integer_tensor("pads", {0, hostile, 0, 0, hostile, 0})}),
            HasSubstr("operator Pad"));
        EXPECT_THAT(problem({node("Tile", {"x", "repeats"}, {"out"})}, {integer_tensor("repeats", {1, 1, hostile})}),
                    AnyOf(HasSubstr("operator Tile"), HasSubstr("output 'out'")));
        EXPECT_THAT(problem({node("Split", {"x", "parts"}, {"a", "out"}, {integer_attribute("axis", 2)})},
                            {integer_tensor("parts", {hostile, hostile})}),
                    HasSubstr("operator Split"));
        EXPECT_THAT(problem({node("Slice", {"x", "from", "from", "one"}, {"out"})},
                            {integer_tensor("from", {hostile}), integer_tensor("one", {1})}),
                    AnyOf(HasSubstr("operator Slice"), HasSubstr("output 'out'"), HasSubstr("tensor<float>")));
    }
    EXPECT_THAT(problem({node("Split", {"x", "parts"}, {"a", "out"}, {integer_attribute("axis", 1)})},
                        {integer_tensor("parts", {1, 2})}),
                HasSubstr("sequence indexes cannot be split into parts of [1,2]"));
}

}  // namespace
}  // namespace tenrex::onnx::open_lengths_test
