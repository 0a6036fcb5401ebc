// Operators in cases that the node tests of ONNX do not have, worked out by hand.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

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
    const auto query = plan->bind({});
    Context context(*plan);
    const std::vector<Column> columns{Column::dense(x->view().cells(), 0)};
    const auto compiled = query->evaluate_tensors({1, columns}, context);
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

}  // namespace
}  // namespace tenrex::onnx
