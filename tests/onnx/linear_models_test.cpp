// Linear models and what is done to features before them, against what ONNX Runtime computes.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/forest_writer.h"

namespace tenrex::onnx {
namespace {

using testing::HasSubstr;

constexpr std::string_view two_rows = "tensor<float>(d0[2],d1[3]):[[1,-2,0.5],[0,0,0]]";

Result<OnnxModel> model_of(const std::string &op, const std::vector<std::string> &attributes, std::uint64_t type,
                           const std::vector<std::string> &axes) {
    std::vector<std::string> outputs{"out"};
    std::vector<std::string> ports{port("out", {"n"})};
    if (op == "LinearClassifier") {
        outputs.emplace_back("more");
        ports.push_back(port("more", {"n"}));
    }
    return OnnxModel::read(
        model({{node(op, {"x"}, outputs, attributes, "ai.onnx.ml")}, {}, {port("x", axes, type)}, ports, 17}),
        {.name = "m", .sizes = {{"batch", 2}}});
}

// An output for a value of x by the reference evaluator, with which the compiled one is compared.
Tensor value_of(const std::string &op, const std::vector<std::string> &attributes, std::string_view literal = two_rows,
                const std::vector<std::string> &axes = {"batch", "3"}, std::uint64_t type = 1,
                std::string_view output = "onnx(m)") {
    const auto model = model_of(op, attributes, type, axes);
    if (!model) {
        ADD_FAILURE() << model.error().render();
        return Tensor(0);
    }
    const auto expression = Expression::parse(output, schema_with(*model));
    const auto plan = expression ? compile(*expression) : Result<Plan>(expression.error());
    const std::vector<NamedTensor> x{{"x", *from_literal(literal)}};
    const auto value = plan ? expression->evaluate_reference(x) : Result<Tensor>(plan.error());
    const auto compiled = value ? evaluated(*plan, {x}) : Result<std::vector<Tensor>>(value.error());
    if (!compiled) {
        ADD_FAILURE() << compiled.error().render();
        return Tensor(0);
    }
    for (std::size_t i = 0; i < value->cell_count(); ++i) {
        EXPECT_TRUE(compiled->front().cell(i) == value->cell(i) ||
                    std::abs(compiled->front().cell(i) - value->cell(i)) <= 1e-5 * (1 + std::abs(value->cell(i))))
            << op << ", cell " << i << ": " << compiled->front().cell(i) << ", " << value->cell(i);
    }
    return *value;
}

void expect_cells(const Tensor &value, const std::vector<double> &cells) {
    ASSERT_EQ(value.cell_count(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        EXPECT_TRUE(value.cell(i) == cells[i] || std::abs(value.cell(i) - cells[i]) < 2e-6)
            << "cell " << i << ": " << value.cell(i) << ", " << cells[i];
    }
}

std::string failure(const std::string &op, const std::vector<std::string> &attributes,
                    const std::vector<std::string> &axes = {"batch", "3"}) {
    const auto model = model_of(op, attributes, 1, axes);
    return model ? std::string() : model.error().render();
}

const std::string two_targets = floats("coefficients", {0.1F, 0.2F, 0.3F, 0.2F, 0.1F, 0.4F});
const std::string one_target = floats("coefficients", {0.1F, 0.2F, 0.3F});

TEST(LinearModels, Regressors) {
    const auto regressor = [&](const std::string &kind, bool is_one) {
        return is_one ? value_of("LinearRegressor",
                                 {one_target, floats("intercepts", {0.6F}), text("post_transform", kind)})
                      : value_of("LinearRegressor", {two_targets, floats("intercepts", {0.6F, 0.5F}),
                                                     integer_attribute("targets", 2), text("post_transform", kind)});
    };
    expect_cells(regressor("NONE", false), {0.45, 0.7, 0.6, 0.5});
    expect_cells(regressor("LOGISTIC", false), {0.6106392, 0.66818774, 0.6456563, 0.6224593});
    expect_cells(regressor("SOFTMAX", false), {0.4378235, 0.5621765, 0.5249792, 0.4750208});
    expect_cells(regressor("SOFTMAX_ZERO", false), {0.4378235, 0.5621765, 0.5249792, 0.4750208});
    expect_cells(regressor("PROBIT", false), {-0.12566201, 0.5244459, 0.2533535, 0});
    expect_cells(regressor("SOFTMAX", true), {0.45, 0.6});
    expect_cells(regressor("PROBIT", true), {-0.12566201, 0.2533535});
    expect_cells(value_of("LinearRegressor", {one_target}), {-0.15, 0});
    expect_cells(value_of("LinearRegressor", {one_target}, "tensor<float>(d0[3]):[1,-2,0.5]", {"3"}), {-0.15});
}

TEST(LinearModels, Classifiers) {
    const std::string labels = integers("classlabels_ints", {5, 7, 9});
    const std::vector<std::string> three{floats("coefficients", {0.1F, 0.2F, 0.3F, 0.2F, 0.1F, 0.4F, 0, 0, 0}),
                                         floats("intercepts", {0.6F, 0.5F, 0}), labels};
    const auto of_kind = [](std::vector<std::string> attributes, const std::string &kind, std::string_view output) {
        attributes.push_back(text("post_transform", kind));
        return value_of("LinearClassifier", attributes, two_rows, {"batch", "3"}, 1, output);
    };
    expect_cells(of_kind(three, "SOFTMAX", "onnx(m).out"), {7, 5});
    expect_cells(of_kind(three, "NONE", "onnx(m).more"), {0.45, 0.7, 0, 0.6, 0.5, 0});
    expect_cells(of_kind(three, "SOFTMAX", "onnx(m).more"),
                 {0.34227192, 0.43948585, 0.21824221, 0.40755624, 0.36877212, 0.2236716});
    expect_cells(of_kind(three, "SOFTMAX_ZERO", "onnx(m).more"), {0.4378235, 0.5621765, 0, 0.5249792, 0.4750208, 0});
    const std::vector<std::string> two{one_target, floats("intercepts", {0.1F}), integers("classlabels_ints", {5, 7})};
    expect_cells(of_kind(two, "NONE", "onnx(m).out"), {5, 7});
    expect_cells(of_kind(two, "NONE", "onnx(m).more"), {1.05, -0.05, 0.9, 0.1});
    expect_cells(of_kind(two, "LOGISTIC", "onnx(m).more"), {0.5124974, 0.4875026, 0.4750208, 0.5249792});
}

TEST(LinearModels, ScoresWithoutLabels) {
    const std::vector<std::string> attributes{one_target, texts("classlabels_strings", {"no", "yes"})};
    expect_cells(value_of("LinearClassifier", attributes, two_rows, {"batch", "3"}, 1, "onnx(m).more"),
                 {1.15, -0.15, 1, 0});
}

TEST(LinearModels, Features) {
    expect_cells(value_of("Scaler", {floats("offset", {1, 2, 3}), floats("scale", {0.5F, 2, 1})}),
                 {0, -8, -2.5, -0.5, -4, -3});
    expect_cells(value_of("Scaler", {floats("offset", {1}), floats("scale", {0.5F})}),
                 {0, -1.5, -0.25, -0.5, -0.5, -0.5});
    expect_cells(value_of("Normalizer", {text("norm", "MAX")}), {1, -2, 0.5, 0, 0, 0});
    expect_cells(value_of("Normalizer", {text("norm", "MAX")}, "tensor<float>(d0[2],d1[3]):[[-2,-3,-1.5],[-1,-1,-1]]"),
                 {1.3333334, 2, 1, 1, 1, 1});
    expect_cells(value_of("Normalizer", {text("norm", "L1")}), {0.2857143, -0.5714286, 0.14285715, 0, 0, 0});
    expect_cells(value_of("Normalizer", {text("norm", "L2")}), {0.4364358, -0.8728716, 0.2182179, 0, 0, 0});
    expect_cells(value_of("Normalizer", {text("norm", "L1")}, "tensor<float>(d0[2]):[-1,0.5]", {"2"}),
                 {-0.6666667, 0.33333334});
    expect_cells(
        value_of("Imputer", {floats("imputed_value_floats", {2, 3, 4}), real_attribute("replaced_value_float", NAN)},
                 "tensor<float>(d0[2],d1[3]):[[nan,1,-5],[0,nan,nan]]"),
        {2, 1, -5, 0, 3, 4});
    expect_cells(
        value_of("Imputer", {integers("imputed_value_int64s", {2}), integer_attribute("replaced_value_int64", 1)},
                 "tensor(d0[2],d1[3]):[[4,1,-5],[1,0,0]]", {"batch", "3"}, 7),
        {4, 2, -5, 2, 0, 0});
}

TEST(LinearModels, Categories) {
    expect_cells(value_of("OneHotEncoder", {integers("cats_int64s", {3, 2, 1})}, "tensor(d0[2],d1[2]):[[1,2],[3,9]]",
                          {"batch", "2"}, 7),
                 {0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0});
    expect_cells(value_of("OneHotEncoder", {integers("cats_int64s", {3, 2, 1})}, "tensor<float>(d0[2]):[1.5,2]", {"2"}),
                 {0, 0, 1, 0, 1, 0});
    expect_cells(value_of("LabelEncoder",
                          {integers("keys_int64s", {2, 1}), floats("values_floats", {0.5F, 0.25F}),
                           real_attribute("default_float", -1)},
                          "tensor(d0[3]):[1,2,8]", {"3"}, 7),
                 {0.25, 0.5, -1});
    expect_cells(value_of("LabelEncoder", {floats("keys_floats", {2, 2}), integers("values_int64s", {5, 6})},
                          "tensor<float>(d0[3]):[nan,2,8]", {"3"}),
                 {-1, 5, -1});
}

TEST(LinearModels, WhatDoesNotFitIsRefused) {
    EXPECT_THAT(
        failure("LinearRegressor", {one_target, integer_attribute("targets", 2)}),
        HasSubstr("operator LinearRegressor of ai.onnx.ml opset 1: 3 coefficients and 0 intercepts do not fit 3 "
                  "features and 2 outputs"));
    EXPECT_THAT(failure("LinearClassifier", {one_target}), HasSubstr("do not fit 3 features and 0 outputs"));
    EXPECT_THAT(
        failure("LinearRegressor", {two_targets, integer_attribute("targets", 2), text("post_transform", "MORE")}),
        HasSubstr("a transformation MORE is not supported"));
    EXPECT_THAT(failure("LinearRegressor", {one_target}, {"2", "n", "3"}), HasSubstr("has no rows of features"));
    EXPECT_THAT(failure("LinearClassifier",
                        {one_target, integers("classlabels_ints", {0, 1}), text("post_transform", "PROBIT")}),
                HasSubstr("two classes that share one score have no transformation PROBIT"));
    EXPECT_THAT(failure("Scaler", {floats("offset", {1, 2}), floats("scale", {1})}),
                HasSubstr("its attribute offset has 2 numbers for 3 features"));
    EXPECT_THAT(failure("Normalizer", {text("norm", "L3")}), HasSubstr("a norm L3 is not supported"));
    EXPECT_THAT(failure("OneHotEncoder", {texts("cats_strings", {"a"})}),
                HasSubstr("categories that are texts are not supported"));
    EXPECT_THAT(failure("OneHotEncoder", {integers("cats_int64s", {1}), integer_attribute("zeros", 0)}),
                HasSubstr("export it with zeros=1"));
    EXPECT_THAT(failure("LabelEncoder", {texts("keys_strings", {"a"}), integers("values_int64s", {1})}),
                HasSubstr("labels that are texts are not supported"));
    EXPECT_THAT(failure("LabelEncoder", {integers("keys_int64s", {1, 2}), integers("values_int64s", {1})}),
                HasSubstr("it has 2 keys and 1 values"));
}

}  // namespace
}  // namespace tenrex::onnx
