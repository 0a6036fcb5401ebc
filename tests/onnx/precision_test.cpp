// Models at fewer bits: what is compiled gives what the reference evaluator gives for the same expressions, in blocks
// of any size and with any instruction set, and both are near what the model gives in float.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/onnx/import.h"
#include "tests/conformance/isas.h"
#include "tests/onnx/encoder.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx::precision_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::int64_t depth = 70, column_count = 37;

// x[batch,length,depth] by weights, in one of the ways in which files have them.
std::string product(std::string_view how, std::int64_t columns = column_count) {
    const bool turned = how != "MatMul" && how != "computed";
    const std::vector<std::int64_t> shape =
        turned ? std::vector<std::int64_t>{columns, depth} : std::vector<std::int64_t>{depth, columns};
    std::vector<std::string> nodes;
    std::vector<std::string> weights = {float_tensor("w", shape, numbers(static_cast<std::size_t>(depth * columns), 1)),
                                        float_tensor("b", {columns}, numbers(static_cast<std::size_t>(columns), 2))};
    if (how == "FusedMatMul") {
        nodes = {node("FusedMatMul", {"x", "w"}, {"m"}, {integer_attribute("transB", 1), real_attribute("alpha", 0.5F)},
                      "com.microsoft")};
    } else if (how == "Gemm") {
        nodes = {node("Gemm", {"x", "w"}, {"m"}, {integer_attribute("transB", 1), real_attribute("alpha", 0.5F)})};
    } else {
        std::string right = "w";
        if (how == "Transpose") {
            nodes = {node("Transpose", {"w"}, {"t"})};
            right = "t";
        } else if (how == "computed") {
            weights.push_back(float_tensor("two", {1}, {2}));
            nodes = {node("Mul", {"w", "two"}, {"t"})};
            right = "t";
        }
        nodes.push_back(node("MatMul", {"x", right}, {"m"}));
    }
    nodes.push_back(node("Add", {"m", "b"}, {"out"}));
    const std::vector<std::int64_t> rows =
        how == "Gemm" ? std::vector<std::int64_t>{0, depth} : std::vector<std::int64_t>{1, 0, depth};
    return model({nodes, weights, {value_info("x", rows)}, {value_info("out", {})}});
}

// More than are computed with while importing.
constexpr std::int64_t wide = 80;

// The same with weights of 16 bits.
std::string product_of_halves() {
    constexpr std::uint64_t float16 = 10;
    std::string cells;
    for (std::uint32_t i = 0; i < depth * wide; ++i) {
        const std::uint32_t half = 0x3000 + (i * 2654435761U >> 20) % 0xC00 + (i % 3 == 0 ? 0x8000 : 0);
        cells += static_cast<char>(half % 256);
        cells += static_cast<char>(half / 256);
    }
    const std::string weights = number_field(1, depth) + number_field(1, wide) + number_field(2, float16) +
                                bytes_field(8, "w") + bytes_field(9, cells);
    return model({{node("MatMul", {"x", "w"}, {"out"})},
                  {weights},
                  {value_info("x", {1, 0, depth}, float16)},
                  {value_info("out", {}, float16)}});
}

// Rows of very different ranges; one of zeros, and one whose cells are equal.
Tensor rows_of(const TensorType &open_type, std::size_t length, std::uint32_t seed) {
    const std::vector<float> cells = numbers(length * depth, seed);
    std::vector<Dimension> dimensions = open_type.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension{dimension.name, length} : dimension;
    }
    TensorBuilder builder(*TensorType::make(CellType::f32, std::move(dimensions)));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t row = i / depth;
        const double factor = row % 5 == 3 ? 0 : std::pow(10, static_cast<double>(row % 7) - 3);
        builder.set(0, i, row % 5 == 4 ? 0.25 : factor * cells[i]);
    }
    return std::move(builder).build();
}

// As a named axis of a file is told to be open.
OnnxOptions options_at(ModelPrecision precision) {
    OnnxOptions options;
    options.name = "m";
    options.precision = precision;
    options.type_of = [](std::string_view) {
        return std::optional(*TensorType::parse("tensor<float>(d0[1],d1[],d2[70])"));
    };
    return options;
}
OnnxOptions options_for(std::string_view how, ModelPrecision precision) {
    OnnxOptions options = options_at(precision);
    if (how == "Gemm") {
        options.type_of = [](std::string_view) {
            return std::optional(*TensorType::parse("tensor<float>(d0[],d1[70])"));
        };
    }
    return options;
}

double cosine(const Tensor &a, const Tensor &b) {
    double product_of_both = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t i = 0; i < a.cell_count(); ++i) {
        product_of_both += a.cell(i) * b.cell(i);
        of_a += a.cell(i) * a.cell(i);
        of_b += b.cell(i) * b.cell(i);
    }
    return product_of_both / std::sqrt(of_a * of_b);
}

void expect_equal_cells(const Tensor &found, const Tensor &expected, double tolerance) {
    ASSERT_EQ(found.cell_count(), expected.cell_count());
    for (std::size_t i = 0; i < found.cell_count(); ++i) {
        ASSERT_LE(std::fabs(found.cell(i) - expected.cell(i)), tolerance * (1 + std::fabs(expected.cell(i))))
            << "cell " << i << ": " << found.cell(i) << " instead of " << expected.cell(i);
    }
}

class Precisions : public testing::TestWithParam<std::string_view> {};

TEST_P(Precisions, AreThoseOfTheReferenceEvaluator) {
    const std::string bytes = product(GetParam());
    const auto whole = OnnxModel::read(bytes, options_for(GetParam(), ModelPrecision::f32));
    ASSERT_TRUE(whole) << whole.error().render();
    const auto in_float = Expression::parse("onnx(m)", schema_with(*whole));
    ASSERT_TRUE(in_float) << in_float.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    for (const std::size_t length : {1, 3, 17, 2}) {
        documents.push_back({{"x", rows_of(whole->inputs()[0].type, length, static_cast<std::uint32_t>(length))}});
    }
    for (const ModelPrecision precision : {ModelPrecision::bf16, ModelPrecision::int8}) {
        SCOPED_TRACE(name(precision));
        // Whole numbers are exact, and so is what is made of them one operation after the other.
        const double tolerance = precision == ModelPrecision::int8 ? 0 : 1e-5;
        const auto rounded = OnnxModel::read(bytes, options_for(GetParam(), precision));
        ASSERT_TRUE(rounded) << rounded.error().render();
        const auto expression = Expression::parse("onnx(m)", schema_with(*rounded));
        ASSERT_TRUE(expression) << expression.error().render();
        std::vector<Tensor> expected;
        for (const auto &document : documents) {
            expected.push_back(*expression->evaluate_reference(document));
            const Tensor near = *in_float->evaluate_reference(document);
            EXPECT_GT(cosine(expected.back(), near), precision == ModelPrecision::int8 ? 0.9999 : 0.99999);
            EXPECT_FALSE(expected.back() == near);
        }
        for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
            SCOPED_TRACE(isa);
            CompileOptions compiling;
            compiling.max_isa = isa;
            const auto plan = compile(*expression, compiling);
            ASSERT_TRUE(plan) << plan.error().render();
            const auto found = evaluated(*plan, documents);
            ASSERT_TRUE(found) << found.error().render();
            for (std::size_t i = 0; i < documents.size(); ++i) {
                expect_equal_cells((*found)[i], expected[i], tolerance);
                const auto alone = evaluated(*plan, {documents[i]});
                ASSERT_TRUE(alone) << alone.error().render();
                EXPECT_TRUE(alone->front() == (*found)[i]);
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Products, Precisions,
                         testing::Values("MatMul", "Transpose", "computed", "Gemm", "FusedMatMul"),
                         [](const auto &each) { return std::string(each.param); });

TEST(Precision, WeightsAreHeldInFewerBits) {
    for (const std::string_view how : {"MatMul", "Transpose", "Gemm", "FusedMatMul"}) {
        for (const auto &[precision, cell_type] :
             {std::pair(ModelPrecision::bf16, CellType::bf16), {ModelPrecision::int8, CellType::i8}}) {
            SCOPED_TRACE(fmt::format("{} at {}", how, name(precision)));
            ImportOptions options;
            options.precision = precision;
            const auto model = import_model(product(how), options);
            ASSERT_TRUE(model) << model.error().render();
            std::size_t matrices = 0;
            for (const auto &[symbol, tensor] : model->constants) {
                if (tensor.cell_count() == depth * column_count) {
                    EXPECT_EQ(tensor.type().cell_type(), cell_type) << symbol;
                    ++matrices;
                }
            }
            EXPECT_EQ(matrices, 1U);
        }
    }
}

// Rounded, or widened from 16 bits, and packed: what was packed is there alone.
TEST(Precision, WeightsAreThereOncePerFile) {
    const auto path = std::filesystem::path(testing::TempDir()) / "precision_test.onnx";
    for (const std::string_view how : {"MatMul", "Transpose", "halves"}) {
        for (const ModelPrecision precision : {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8}) {
            SCOPED_TRACE(fmt::format("{} at {}", how, name(precision)));
            const std::string bytes = how == "halves" ? product_of_halves() : product(how, wide);
            std::ofstream(path, std::ios::binary) << bytes;
            const auto model = OnnxModel::load(path.string(), options_at(precision));
            ASSERT_TRUE(model) << model.error().render();
            const Schema schema = schema_with(*model);
            const auto bytes_of_matrices = [&] {
                std::size_t all = 0;
                for (const InputDeclaration &input : schema.inputs()) {
                    const bool is_matrix = input.value && input.value->cell_count() == depth * wide;
                    all += is_matrix ? input.value->memory_bytes() : 0;
                }
                return all;
            };
            const std::vector<NamedTensor> document = {{"x", rows_of(model->inputs()[0].type, 3, 1)}};
            CompileOptions options;
            options.weights = std::make_shared<WeightStore>();
            const auto first = compile("onnx(m)", schema, options);
            ASSERT_TRUE(first) << first.error().render();
            // A processor without products of bfloat16 widens what is rounded to it.
            if (precision == ModelPrecision::bf16 && first->explain().find("matmul_bf16") == std::string::npos) {
                continue;
            }
            EXPECT_LT(bytes_of_matrices(), depth * wide);
            // Another plan finds what is packed, and one without the store packs it again.
            const auto second = compile("onnx(m)", schema, options);
            const auto apart = compile("onnx(m)", schema);
            ASSERT_TRUE(second && apart);
            EXPECT_EQ(options.weights->statistics().packed, 1U);
            EXPECT_EQ(options.weights->statistics().found, 1U);
            EXPECT_LT(bytes_of_matrices(), depth * wide);
            const auto expected = OnnxModel::read(bytes, options_at(precision));
            const auto plan = compile("onnx(m)", schema_with(*expected));
            ASSERT_TRUE(plan);
            for (const Plan *const same : {&*first, &*second, &*apart}) {
                EXPECT_EQ(*evaluated(*same, {document}), *evaluated(*plan, {document}));
            }
            EXPECT_EQ(*Expression::parse("onnx(m)", schema)->evaluate_reference(document),
                      *Expression::parse("onnx(m)", schema_with(*expected))->evaluate_reference(document));
        }
    }
    std::filesystem::remove(path);
}

TEST(Precision, ExplainSaysIt) {
    for (const auto &[precision, kernel] :
         {std::pair(ModelPrecision::f32, "baseline::matmul_f32"), {ModelPrecision::int8, "baseline::matmul_i8"}}) {
        const std::string weights = float_tensor("w", {256, 64}, numbers(std::size_t{256} * 64, 1));
        const std::string bytes = model({{node("MatMul", {"x", "w"}, {"out"})},
                                         {weights},
                                         {value_info("x", {1, 0, 256})},
                                         {value_info("out", {})}});
        const auto read = OnnxModel::read(bytes, {.name = "m", .precision = precision});
        ASSERT_TRUE(read) << read.error().render();
        CompileOptions compiling;
        compiling.max_isa = "baseline";
        const auto plan = compile("onnx(m)", schema_with(*read), compiling);
        ASSERT_TRUE(plan) << plan.error().render();
        EXPECT_THAT(plan->explain(), HasSubstr(kernel));
    }
}

TEST(Precision, Names) {
    for (const ModelPrecision precision : {ModelPrecision::f32, ModelPrecision::bf16, ModelPrecision::int8}) {
        EXPECT_EQ(precision_from_name(name(precision)), precision);
    }
    EXPECT_EQ(precision_from_name("fp16"), std::nullopt);
}

// Numbers that are none, and cells that are infinite.
TEST(Precision, WeightsOfAnyKind) {
    std::vector<float> weights(depth * column_count, 0);
    weights[0] = NAN;
    weights[1] = INFINITY;
    weights[2] = -3e38F;
    weights[3] = 1e-42F;
    const std::string bytes = model({{node("MatMul", {"x", "w"}, {"out"})},
                                     {float_tensor("w", {depth, column_count}, weights)},
                                     {value_info("x", {1, 0, depth})},
                                     {value_info("out", {})}});
    for (const ModelPrecision precision : {ModelPrecision::bf16, ModelPrecision::int8}) {
        const auto model = OnnxModel::read(bytes, options_at(precision));
        ASSERT_TRUE(model) << model.error().render();
        const auto expression = Expression::parse("onnx(m)", schema_with(*model));
        ASSERT_TRUE(expression) << expression.error().render();
        const std::vector<NamedTensor> document = {{"x", rows_of(model->inputs()[0].type, 3, 1)}};
        const auto plan = compile(*expression);
        ASSERT_TRUE(plan) << plan.error().render();
        const auto found = evaluated(*plan, {document});
        const Tensor expected = *expression->evaluate_reference(document);
        for (std::size_t i = 4; i < column_count; ++i) {
            EXPECT_EQ(found->front().cell(i), 0);
            EXPECT_EQ(expected.cell(i), 0);
        }
    }
}

class EncodersAt : public testing::TestWithParam<std::pair<Exporter, ModelPrecision>> {};

// Texts of two layers, in one block and alone.
TEST_P(EncodersAt, AreNearThoseInFloat) {
    const auto [exporter, precision] = GetParam();
    const auto model = OnnxModel::read(Encoder().model(exporter), {.name = "m", .precision = precision});
    ASSERT_TRUE(model) << model.error().render();
    const auto plan = compile("onnx(m)", schema_with(*model));
    ASSERT_TRUE(plan) << plan.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    const TensorType type = *TensorType::parse("tensor(d0[1],d1[])");
    for (const std::size_t length : {1, 2, 5, 16, 33}) {
        std::vector<int> tokens;
        for (std::size_t i = 0; i < length; ++i) {
            tokens.push_back(static_cast<int>((i * i + 3 * length) % Encoder::words));
        }
        std::vector<int> mask(length, 1);
        std::vector<NamedTensor> &values = documents.emplace_back();
        for (const auto &[input, cells] : {std::pair("input_ids", &tokens), std::pair("attention_mask", &mask)}) {
            values.emplace_back(
                input, *from_literal(fmt::format("tensor(d0[1],d1[{}]):[[{}]]", length, fmt::join(*cells, ",")), type));
        }
    }
    const auto whole = OnnxModel::read(Encoder().model(exporter), {.name = "m"});
    const auto plan_in_float = compile("onnx(m)", schema_with(*whole));
    ASSERT_TRUE(plan_in_float) << plan_in_float.error().render();
    EXPECT_THAT(plan->explain(), HasSubstr("::attention_bf16"));
    EXPECT_THAT(plan_in_float->explain(), HasSubstr("::attention_f32"));
    const auto found = evaluated(*plan, documents);
    const auto expected = evaluated(*plan_in_float, documents);
    ASSERT_TRUE(found && expected);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const double similarity = cosine((*found)[i], (*expected)[i]);
        EXPECT_GT(similarity, 0.999);
        EXPECT_LT(similarity, 1);
        const auto alone = evaluated(*plan, {documents[i]});
        ASSERT_TRUE(alone) << alone.error().render();
        EXPECT_TRUE(alone->front() == (*found)[i]);
    }
}
INSTANTIATE_TEST_SUITE_P(All, EncodersAt,
                         testing::Values(std::pair(Exporter::decomposed, ModelPrecision::bf16),
                                         std::pair(Exporter::decomposed, ModelPrecision::int8),
                                         std::pair(Exporter::single_operators, ModelPrecision::int8),
                                         std::pair(Exporter::runtime, ModelPrecision::bf16),
                                         std::pair(Exporter::runtime, ModelPrecision::int8)));

}  // namespace
}  // namespace tenrex::onnx::precision_test
