// Products of files that are quantized already: whole numbers of 8 bits, multiplied as such.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/onnx/import.h"
#include "tests/conformance/isas.h"
#include "tests/onnx/evaluated.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Whole numbers of 8 bits, as files have them that are quantized.
std::string byte_tensor(std::string_view name, const std::vector<std::int64_t> &shape, std::uint64_t type,
                        std::string_view cells) {
    std::string bytes;
    for (const std::int64_t size : shape) {
        bytes += number_field(1, static_cast<std::uint64_t>(size));
    }
    return bytes + number_field(2, type) + bytes_field(8, name) + bytes_field(9, cells);
}

// A product of x[1,3,k] with weights of bytes, and what it makes of the exact sum of a cell.
struct ByteProduct {
    std::string_view op;
    std::vector<std::string> inputs;
    int zero;  // of x
    double (*result)(double sum);
};

class ProductsOfBytes : public testing::TestWithParam<ByteProduct> {};

// The sums are those of whole numbers, also where float would not have them.
TEST_P(ProductsOfBytes, AreExact) {
    constexpr std::uint64_t floats = 1;
    constexpr std::uint64_t unsigned_bytes = 2;
    constexpr std::uint64_t signed_bytes = 3;
    constexpr std::size_t width = 5;
    const auto &[op, inputs, zero, result] = GetParam();
    const bool is_dynamic = op == "DynamicQuantizeMatMul";
    const std::string_view domain = is_dynamic || op == "MatMulIntegerToFloat" ? "com.microsoft" : "";
    for (const std::size_t k : {std::size_t{900}, std::size_t{2500}}) {
        std::string weights(k * width, '\0');
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = static_cast<char>(i % width == 1 ? 127 : static_cast<int>(i * 7 % 255) - 127);
        }
        const std::string bytes =
            model({{node(op, inputs, {"out"}, {}, domain)},
                   {byte_tensor("w", {static_cast<std::int64_t>(k), width}, signed_bytes, weights),
                    byte_tensor("zero", {}, unsigned_bytes, std::string(1, static_cast<char>(zero))),
                    byte_tensor("none", {}, signed_bytes, std::string(1, '\0')),
                    byte_tensor("middle", {}, unsigned_bytes, "\x80"), float_tensor("half", {}, {0.5F}),
                    float_tensor("quarter", {}, {0.25F}), float_tensor("many", {}, {32768})},
                   {value_info("x", {1, 3, static_cast<std::int64_t>(k)}, is_dynamic ? floats : unsigned_bytes)},
                   {value_info("out", {})}});
        const auto imported = import_model(bytes);
        ASSERT_TRUE(imported) << imported.error().render();
        for (const auto &[symbol, tensor] : imported->constants) {
            EXPECT_TRUE(tensor.cell_count() <= width || tensor.type().cell_type() == CellType::i8) << symbol;
        }
        const auto read = OnnxModel::read(bytes, {.name = "m"});
        ASSERT_TRUE(read) << read.error().render();
        TensorBuilder x(read->inputs()[0].type);
        // From 0 to 255, so that a scale that is made of them is 1.
        const auto cell = [](std::size_t i) { return static_cast<int>(i % 3 == 0 ? 255 : i * 31 % 256); };
        for (std::size_t i = 0; i < 3 * k; ++i) {
            x.set(0, i, cell(i));
        }
        const std::vector<NamedTensor> document = {{"x", std::move(x).build()}};
        for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
            CompileOptions compiling;
            compiling.max_isa = isa;
            const auto plan = compile("onnx(m)", schema_with(*read), compiling);
            ASSERT_TRUE(plan) << plan.error().render();
            const auto found = evaluated(*plan, {document});
            ASSERT_TRUE(found) << found.error().render();
            for (std::size_t row = 0; row < 3; ++row) {
                for (std::size_t column = 0; column < width; ++column) {
                    std::int64_t sum = 0;
                    for (std::size_t i = 0; i < k; ++i) {
                        sum += std::int64_t{cell(row * k + i) - zero} *
                               static_cast<signed char>(weights[i * width + column]);
                    }
                    EXPECT_EQ(found->front().cell(row * width + column), result(static_cast<double>(sum)));
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Operators, ProductsOfBytes,
    testing::Values(ByteProduct{"MatMulInteger", {"x", "w", "zero"}, 131, [](double sum) { return sum; }},
                    ByteProduct{
                        "QLinearMatMul",
                        {"x", "half", "zero", "w", "quarter", "none", "many", "middle"},
                        131,
                        [](double sum) { return std::clamp(std::nearbyint(sum * 0.125 / 32768) + 128, 0.0, 255.0); }},
                    ByteProduct{"MatMulIntegerToFloat",
                                {"x", "w", "half", "quarter", "zero", "none"},
                                131,
                                [](double sum) { return static_cast<double>(static_cast<float>(sum * 0.125)); }},
                    ByteProduct{"DynamicQuantizeMatMul",
                                {"x", "w", "quarter"},
                                0,
                                [](double sum) { return static_cast<double>(static_cast<float>(sum * 0.25)); }}),
    [](const auto &tested) { return std::string(tested.param.op); });

// Queries, keys and values come of one product of bytes, and what is behind it is the step that attention is in float.
TEST(QuantizedAttention, HasProductsOfBytes) {
    constexpr std::uint64_t unsigned_bytes = 2;
    constexpr std::uint64_t signed_bytes = 3;
    constexpr std::size_t width = 64;
    std::string weights(width * 3 * width, '\0');
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<char>(static_cast<int>(i * 37 % 251) - 125);
    }
    std::vector<float> bias(3 * width);
    for (std::size_t i = 0; i < bias.size(); ++i) {
        bias[i] = static_cast<float>(static_cast<int>(i * 29 % 127) - 63) / 64;
    }
    const std::string bytes = model({{node("QAttention", {"x", "w", "b", "scale", "scale", "", "zero"}, {"out"},
                                           {integer_attribute("num_heads", 2)}, "com.microsoft")},
                                     {byte_tensor("w", {width, 3 * width}, signed_bytes, weights),
                                      byte_tensor("zero", {}, unsigned_bytes, std::string(1, '\x7d')),
                                      float_tensor("scale", {}, {0.015625F}), float_tensor("b", {3 * width}, bias)},
                                     {value_info("x", {1, 0, width}, unsigned_bytes)},
                                     {value_info("out", {})}});
    const auto read = OnnxModel::read(bytes, {.name = "m"});
    ASSERT_TRUE(read) << read.error().render();
    const Schema schema = schema_with(*read);
    const auto expression = Expression::parse("onnx(m)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    std::vector<std::vector<NamedTensor>> documents;
    for (const std::size_t length : {1, 3, 9}) {
        TensorBuilder x(*TensorType::parse(fmt::format("tensor(d0[1],d1[{}],d2[{}])", length, width)));
        for (std::size_t i = 0; i < length * width; ++i) {
            x.set(0, i, static_cast<double>((i * i + 31 * i + length) % 256));
        }
        documents.push_back({{"x", std::move(x).build()}});
    }
    for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
        CompileOptions compiling;
        compiling.max_isa = isa;
        const auto plan = compile("onnx(m)", schema, compiling);
        ASSERT_TRUE(plan) << plan.error().render();
        EXPECT_THAT(plan->explain(), AllOf(HasSubstr("matmul_i8"), HasSubstr("attention"))) << isa;
        const auto found = evaluated(*plan, documents);
        ASSERT_TRUE(found) << found.error().render();
        for (std::size_t i = 0; i < documents.size(); ++i) {
            const Tensor expected = *expression->evaluate_reference(documents[i]);
            for (std::size_t j = 0; j < expected.cell_count(); ++j) {
                EXPECT_NEAR((*found)[i].cell(j), expected.cell(j), 1e-4) << isa << " cell " << j;
            }
            const auto alone = evaluated(*plan, {documents[i]});
            ASSERT_TRUE(alone);
            EXPECT_EQ(alone->front(), (*found)[i]);
        }
    }
}

}  // namespace
}  // namespace tenrex::onnx
