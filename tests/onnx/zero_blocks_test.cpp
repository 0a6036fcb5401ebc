// Models whose weights were pruned: which blocks are zeros is known to plans that share packed weights and to those
// that find them in the file of a packed model.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>

#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::zero_blocks_test {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr std::int64_t depth = 70, wide = 80;  // more cells than are computed with while importing

// Rows of 70 cells by a matrix of which 48 rows of 64 columns are zeros.
std::string pruned_model() {
    std::vector<float> cells = numbers(depth * wide, 1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i / wide < 48 && i % wide < 64) {
            cells[i] = i % 2 == 0 ? 0.0F : -0.0F;
        }
    }
    return model({{node("MatMul", {"x", "w"}, {"out"})},
                  {float_tensor("w", {depth, wide}, cells)},
                  {value_info("x", {0, depth})},
                  {value_info("out", {})}});
}

OnnxOptions options_at(ModelPrecision precision) {
    return {.name = "m", .sizes = {{"n", -1}}, .precision = precision};
}

Tensor rows_of(std::size_t length) {
    TensorBuilder builder(*TensorType::parse("tensor<float>(d0[" + std::to_string(length) + "],d1[70])"));
    const std::vector<float> cells = numbers(length * depth, 3);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        builder.set(0, i, cells[i]);
    }
    return std::move(builder).build();
}

struct Found {
    Plan plan;          // which has the packed weights
    std::string steps;  // what the plan says of them
    std::vector<Tensor> values;
};

Found found(const OnnxModel &model, std::shared_ptr<WeightStore> weights) {
    CompileOptions options;
    options.weights = std::move(weights);
    auto plan = compile("onnx(m)", schema_with(model), options);
    EXPECT_TRUE(plan) << plan.error().render();
    Found result{*std::move(plan), {}, {}};
    for (const PlanStep &step : result.plan.steps(Stage::document)) {
        result.steps += step.what + "\n";
    }
    result.values = *evaluated(result.plan, {{{"x", rows_of(1)}}, {{"x", rows_of(90)}}});
    return result;
}

TEST(ZeroBlocks, OfAModelAreKnownHoweverItsWeightsArePacked) {
    const fs::path path = fs::path(testing::TempDir()) / "zero_blocks_test.onnx";
    std::ofstream(path, std::ios::binary) << pruned_model();
    for (const ModelPrecision precision : {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8}) {
        SCOPED_TRACE(name(precision));
        std::string bytes;
        ASSERT_TRUE(
            pack_onnx_model(path.string(), options_at(precision), [&](std::string_view part) { bytes += part; }));
        const auto plain = OnnxModel::load(path.string(), options_at(precision));
        const auto stored = OnnxModel::read(bytes, options_at(precision));
        ASSERT_TRUE(plain && stored);
        const Found alone = found(*plain, nullptr);
        if (precision == ModelPrecision::f32) {  // for others there are kernels that multiply all
            EXPECT_THAT(alone.steps, HasSubstr("55 % of its blocks are zeros"));
        }
        const auto reference =
            Expression::parse("onnx(m)", schema_with(*plain))->evaluate_reference({{"x", rows_of(90)}});
        for (std::size_t i = 0; i < reference->cell_count(); ++i) {
            ASSERT_NEAR(alone.values[1].cell(i), reference->cell(i), 1e-4);
        }
        const auto shared = std::make_shared<WeightStore>();
        const Found first = found(*plain, shared);
        const Found second = found(*plain, shared);
        const auto not_packed = std::make_shared<WeightStore>();
        const Found in_file = found(*stored, not_packed);
        // Weights that the kernels of a processor widen are packed by each plan.
        EXPECT_LE(shared->statistics().packed, 1U);
        EXPECT_EQ(shared->statistics().found, shared->statistics().packed);
        EXPECT_EQ(not_packed->statistics().packed, 0U);
        for (const Found *const other : {&first, &second, &in_file}) {
            EXPECT_EQ(other->steps, alone.steps);
            EXPECT_EQ(other->values, alone.values);
        }
    }
    fs::remove(path);
}

}  // namespace
}  // namespace tenrex::onnx::zero_blocks_test
