// Operators in cases that the node tests of ONNX do not have, worked out by hand.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

using testing::HasSubstr;

Result<OnnxModel> model_of(const std::vector<std::string> &nodes, const std::vector<std::string> &initializers,
                           const std::vector<std::string> &axes) {
    return OnnxModel::read(
        onnx::model({nodes, initializers, {port("x", axes)}, {port("out", {"n"}), port("more", {"n"})}}),
        {.name = "m"});
}

// An output for a value of x, which the compiled model gives, too.
std::string value_of(const OnnxModel &model, std::string_view output, std::string_view literal) {
    const auto x = from_literal(literal);
    Schema schema;
    schema.document("x", x->type());
    model.add_to(schema);
    const auto expression = Expression::parse(output, schema);
    if (!expression) {
        return expression.error().render();
    }
    const auto value = expression->evaluate_reference({{"x", *x}});
    const auto plan = compile(*expression);
    if (!value || !plan) {
        return value ? plan.error().render() : value.error().render();
    }
    const auto compiled = evaluated(*plan, {{{"x", *x}}});
    return !compiled                     ? compiled.error().render()
           : compiled->front() == *value ? to_literal(*value)
                                         : "compiled: " + to_literal(compiled->front());
}

TEST(OnnxOperators, TheFirstOfEqualElementsIsAtTheTop) {
    for (const auto &[largest, values, indexes] :
         {std::tuple(1, "tensor<float>(d0[1],d1[3]):[[3,3,2]]", "tensor(d0[1],d1[3]):[[0,2,3]]"),
          std::tuple(0, "tensor<float>(d0[1],d1[3]):[[1,2,3]]", "tensor(d0[1],d1[3]):[[1,3,0]]")}) {
        const auto model =
            model_of({node("TopK", {"x", "k"}, {"out", "more"}, {integer_attribute("largest", largest)})},
                     {integer_tensor("k", {3})}, {"1", "4"});
        ASSERT_TRUE(model) << model.error().render();
        EXPECT_EQ(value_of(*model, "onnx(m).out", "tensor<float>(d0[1],d1[4]):[[3,1,3,2]]"), values);
        EXPECT_EQ(value_of(*model, "onnx(m).more", "tensor<float>(d0[1],d1[4]):[[3,1,3,2]]"), indexes);
    }
    const auto too_many = model_of({node("TopK", {"x", "k"}, {"out", "more"})}, {integer_tensor("k", {5})}, {"1", "4"});
    ASSERT_FALSE(too_many);
    EXPECT_THAT(too_many.error().render(), HasSubstr("operator TopK of ai.onnx opset 17: it takes 5 of 4 elements"));
}

// The number gives the result an axis, or the choice is among copies.
TEST(OnnxOperators, ChoicesOfANumber) {
    const auto model = model_of(
        {node("Greater", {"x", "two"}, {"c"}), node("Where", {"c", "x", "number"}, {"out"}),
         node("Expand", {"x", "shape"}, {"copies"}), node("Greater", {"copies", "two"}, {"d"}),
         node("Where", {"d", "two", "copies"}, {"more"})},
        {float_tensor("two", {}, {2}), float_tensor("number", {1, 1}, {-INFINITY}), integer_tensor("shape", {2, 3})},
        {"3"});
    ASSERT_TRUE(model) << model.error().render();
    EXPECT_EQ(value_of(*model, "onnx(m).out", "tensor<float>(d0[3]):[1,2,3]"),
              "tensor<float>(d0[1],d1[3]):[[-inf,-inf,3]]");
    EXPECT_EQ(value_of(*model, "onnx(m).more", "tensor<float>(d0[3]):[1,2,3]"),
              "tensor<float>(d0[2],d1[3]):[[1,2,2],[1,2,2]]");
}

TEST(OnnxOperators, ConvolutionsInGroups) {
    const auto model = model_of(
        {node("Conv", {"x", "w", "b"}, {"out"},
              {integer_attribute("group", 2), integers_attribute("pads", {1, 0}), integers_attribute("strides", {2})}),
         node("Identity", {"x"}, {"more"})},
        {float_tensor("w", {2, 1, 2}, {1, 10, 100, 1000}), float_tensor("b", {2}, {0.5F, 0.25F})}, {"1", "2", "3"});
    ASSERT_TRUE(model) << model.error().render();
    // 0·1+1·10, 2·1+3·10; 0·100+4·1000, 5·100+6·1000.
    EXPECT_EQ(value_of(*model, "onnx(m).out", "tensor<float>(d0[1],d1[2],d2[3]):[[[1,2,3],[4,5,6]]]"),
              "tensor<float>(d0[1],d1[2],d2[2]):[[[10.5,32.5],[4000.25,6500.25]]]");
}

TEST(OnnxOperators, AveragesCountWhatIsThere) {
    for (const auto &[counts_padding, expected] : {std::pair(0, "tensor<float>(d0[1],d1[1],d2[3]):[[[2,4,6]]]"),
                                                   std::pair(1, "tensor<float>(d0[1],d1[1],d2[3]):[[[1,4,3]]]")}) {
        const auto model = model_of({node("AveragePool", {"x"}, {"out"},
                                          {integers_attribute("kernel_shape", {2}), integers_attribute("pads", {1, 1}),
                                           integer_attribute("count_include_pad", counts_padding)}),
                                     node("Identity", {"x"}, {"more"})},
                                    {}, {"1", "1", "2"});
        ASSERT_TRUE(model) << model.error().render();
        EXPECT_EQ(value_of(*model, "onnx(m).out", "tensor<float>(d0[1],d1[1],d2[2]):[[[2,6]]]"), expected);
    }
}

TEST(OnnxOperators, WindowsThatDoNotFitAreRefused) {
    const auto failure = [](const std::vector<std::string> &attributes) {
        const auto model = model_of({node("MaxPool", {"x"}, {"out"}, attributes), node("Identity", {"x"}, {"more"})},
                                    {}, {"1", "1", "2"});
        return model ? std::string() : model.error().render();
    };
    EXPECT_THAT(failure({integers_attribute("kernel_shape", {3})}),
                HasSubstr("operator MaxPool of ai.onnx opset 17: a window of 3 does not fit axis 2 of 2 indexes"));
    EXPECT_THAT(failure({integers_attribute("kernel_shape", {2}), integers_attribute("strides", {0})}),
                HasSubstr("its attribute strides does not have 1 numbers from 1 to 1048576"));
    EXPECT_THAT(failure({integers_attribute("kernel_shape", {2, 2})}), HasSubstr("two axes and one for each number"));
}

// A list of int8.
std::string small_tensor(std::string_view name, const std::vector<std::int64_t> &numbers) {
    std::string bytes = number_field(1, numbers.size()) + number_field(2, 3) + bytes_field(8, name);
    for (const std::int64_t number : numbers) {
        bytes += number_field(5, static_cast<std::uint64_t>(number));
    }
    return bytes;
}

// One node of x, and its value for a literal of x.
std::string made_of(std::string_view op, std::string_view literal, const std::vector<std::string> &axes,
                    const std::vector<std::string> &more_inputs = {}, const std::vector<std::string> &initializers = {},
                    const std::vector<std::string> &attributes = {}) {
    std::vector<std::string> inputs{"x"};
    inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
    const auto model =
        model_of({node(op, inputs, {"out"}, attributes), node("Identity", {"x"}, {"more"})}, initializers, axes);
    return model ? value_of(*model, "onnx(m).out", literal) : model.error().render();
}

TEST(OnnxOperators, TheRestOfAnInfiniteDivisorHasItsSign) {
    const std::string divisors = float_tensor("y", {4}, {INFINITY, INFINITY, -INFINITY, -2});
    EXPECT_EQ(made_of("Mod", "tensor<float>(d0[4]):[3,-3,-1,3]", {"4"}, {"y"}, {divisors}),
              "tensor<float>(d0[4]):[3,inf,-1,-1]");
}

TEST(OnnxOperators, ZerosHaveNoDirection) {
    EXPECT_EQ(made_of("LpNormalization", "tensor<float>(d0[2],d1[2]):[[3,4],[0,0]]", {"2", "2"}),
              "tensor<float>(d0[2],d1[2]):[[0.6,0.8],[0,0]]");
}

TEST(OnnxOperators, BlocksOfElementsHaveScales) {
    const std::vector<std::string> attributes{integer_attribute("axis", 1), integer_attribute("block_size", 2)};
    EXPECT_EQ(made_of("QuantizeLinear", "tensor<float>(d0[1],d1[3]):[[4,6,9]]", {"1", "3"}, {"s"},
                      {float_tensor("s", {1, 2}, {2, 3})}, attributes),
              "tensor(d0[1],d1[3]):[[2,3,3]]");
    EXPECT_THAT(made_of("QuantizeLinear", "tensor<float>(d0[1],d1[3]):[[4,6,9]]", {"1", "3"}, {"s"},
                        {float_tensor("s", {1, 3}, {2, 3, 4})}, attributes),
                HasSubstr("scales of shape [1,3] are not one for each 2 indexes of axis 1 of a tensor of shape [1,3]"));
}

TEST(OnnxOperators, BlocksOfAnAxisBecomeDepth) {
    // Two channels of 1 x 2: first by places, then by channels, or the other way round.
    constexpr std::string_view x = "tensor<float>(d0[1],d1[2],d2[2],d3[2]):[[[[1,2],[3,4]],[[5,6],[7,8]]]]";
    EXPECT_EQ(made_of("SpaceToDepth", x, {"1", "2", "2", "2"}, {}, {}, {integer_attribute("blocksize", 2)}),
              "tensor<float>(d0[1],d1[8],d2[1],d3[1]):[[[[1]],[[5]],[[2]],[[6]],[[3]],[[7]],[[4]],[[8]]]]");
    EXPECT_EQ(made_of("SpaceToDepth", x, {"1", "2", "2", "2"}, {}, {},
                      {integer_attribute("blocksize", 2), text_attribute("mode", "CRD")}),
              "tensor<float>(d0[1],d1[8],d2[1],d3[1]):[[[[1]],[[2]],[[3]],[[4]],[[5]],[[6]],[[7]],[[8]]]]");
}

// Of a tensor without elements, which a shape of x is cut to.
TEST(OnnxOperators, ReductionsOfNothingGiveWhatAddsNothing) {
    for (const auto &[op, number] :
         {std::pair("ReduceSum", "0"), std::pair("ReduceProd", "1"), std::pair("ReduceMax", "-inf"),
          std::pair("ReduceMin", "inf"), std::pair("ReduceLogSum", "-inf"), std::pair("ReduceL2", "0")}) {
        const auto model =
            model_of({node("Slice", {"x", "one", "one", "one"}, {"none"}), node("Abs", {"none"}, {"still"}),
                      node(op, {"still"}, {"out"}, {integers_attribute("axes", {1}), integer_attribute("keepdims", 0)}),
                      node("Identity", {"x"}, {"more"})},
                     {integer_tensor("one", {1})}, {"2", "3"});
        ASSERT_TRUE(model) << model.error().render();
        EXPECT_EQ(value_of(*model, "onnx(m).out", "tensor<float>(d0[2],d1[3]):[[1,2,3],[4,5,6]]"),
                  std::string("tensor<float>(d0[2]):[") + number + "," + number + "]")
            << op;
    }
}

TEST(OnnxOperators, BitsThatAreShiftedOutAreGone) {
    const auto shifted = [](std::string_view direction) {
        const auto model = OnnxModel::read(
            onnx::model({{node("BitShift", {"a", "b"}, {"out"}, {text_attribute("direction", direction)}),
                          node("Add", {"x", "x"}, {"more"})},
                         {small_tensor("a", {64, -64, 1, -4}), small_tensor("b", {1, 1, 9, -1})},
                         {port("x", {"1"})},
                         {port("out", {"n"}), port("more", {"n"})}}),
            {.name = "m"});
        return model ? value_of(*model, "onnx(m).out", "tensor<float>(d0[1]):[0]") : model.error().render();
    };
    EXPECT_EQ(shifted("LEFT"), "tensor(d0[4]):[-128,-128,0,0]");
    EXPECT_EQ(shifted("RIGHT"), "tensor(d0[4]):[32,-32,0,-1]");
}

TEST(OnnxOperators, ElementsOfNewTypesAreNamed) {
    const auto model = model_of({node("Cast", {"x"}, {"out"}, {integer_attribute("to", 17)})}, {}, {"1"});
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().render(), HasSubstr("a cast to float8e4m3fn is not supported"));
}

}  // namespace
}  // namespace tenrex::onnx
