// A model is the same plan, whoever wrote its file.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

TEST(Exporters, Probe) {
    for (const Exporter exporter : {Exporter::decomposed, Exporter::single_operators, Exporter::runtime}) {
        const auto model = OnnxModel::read(Encoder().model(exporter), {.name = "m"});
        ASSERT_TRUE(model) << model.error().render();
        const auto plan = compile("onnx(m).hidden", schema_with(*model));
        ASSERT_TRUE(plan) << plan.error().render();
        std::string text;
        for (const PlanStep &step : plan->steps(Stage::document)) {
            text += step.what + " | " + step.kernel + "\n";
        }
        std::puts(text.c_str());
        std::puts(plan->explain().c_str());
    }
}

}  // namespace
}  // namespace tenrex::onnx
