// A model is the same plan, whoever wrote its file.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

// The steps from the first attention on. Before it are rows of tables and the mask, which exporters say in different
// ways.
std::vector<std::string> steps_of_layers(Exporter exporter) {
    const auto model = OnnxModel::read(Encoder().model(exporter), {.name = "m"});
    EXPECT_TRUE(model) << model.error().render();
    const auto plan = compile("onnx(m).hidden", schema_with(*model));
    EXPECT_TRUE(plan) << plan.error().render();
    std::vector<std::string> steps;
    bool is_layer = false;
    for (const PlanStep &step : plan->steps(Stage::document)) {
        is_layer |= step.what.starts_with("attention");
        if (is_layer) {
            steps.push_back(step.what);
        }
    }
    return steps;
}

// What gives zeros to tokens that see no other, which the operator Attention says and others do not.
bool is_guard(const std::string &step) {
    return step.starts_with("max of 1 to 1 cells") || step.find("equal") != std::string::npos ||
           step.find("select") != std::string::npos;
}

class Exporters : public testing::TestWithParam<Exporter> {};

TEST_P(Exporters, GiveTheSameSteps) {
    std::vector<std::string> steps = steps_of_layers(GetParam());
    if (GetParam() == Exporter::attention) {
        EXPECT_EQ(std::erase_if(steps, is_guard), 4);  // one for each layer, of what is computed once
    }
    EXPECT_EQ(std::count(steps.begin(), steps.end(), "attention: 2 heads of 4 cells, values of 4, with a mask"), 2);
    EXPECT_EQ(steps.size(), 19);
    EXPECT_THAT(steps, testing::ElementsAreArray(steps_of_layers(Exporter::decomposed)));
}

INSTANTIATE_TEST_SUITE_P(All, Exporters,
                         testing::Values(Exporter::decomposed, Exporter::single_operators, Exporter::runtime,
                                         Exporter::pairs, Exporter::attention));

}  // namespace
}  // namespace tenrex::onnx
