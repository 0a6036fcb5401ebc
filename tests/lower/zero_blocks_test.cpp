// Products with constant matrices whose blocks are zeros in part: values are those of the definition, and plans say so.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "lib/support/format.h"
#include "tests/conformance/isas.h"

namespace tenrex::lower::zero_blocks_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t deep = 100, wide = 150, block = 64;

// Whole numbers, so that sums are exact. Of so many columns the first `block` rows are zeros, and no other cells.
Tensor matrix(std::string_view cell_type, std::size_t zero_columns, std::string_view batch = "") {
    TensorBuilder builder(*TensorType::parse(fmt::format("tensor<{}>({}x[{}],y[{}])", cell_type, batch, deep, wide)));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        const std::size_t x = i / wide % deep;
        const std::size_t y = i % wide;
        builder.set(0, i, x < block && y < zero_columns ? 0 : static_cast<double>((x * 7 + y * 3) % 11) + 1);
    }
    return std::move(builder).build();
}

Tensor rows(std::string_view type, double odd = 1) {
    TensorBuilder builder(*TensorType::parse(type));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        builder.set(0, i, i == 5 ? odd : static_cast<double>(i * 31 % 17) - 8);
    }
    return std::move(builder).build();
}

struct Evaluated {
    Tensor value;
    double flops = 0;
    std::string text = {}, steps = {};
};

Evaluated evaluated(const std::string &text, const Schema &schema, const Tensor &a, const char *isa) {
    CompileOptions options;
    options.max_isa = isa;
    const auto plan = compile(text, schema, options);
    EXPECT_TRUE(plan) << plan.error().render();
    ColumnBuffer buffer(plan->document_inputs().front().type, plan->labels());
    EXPECT_TRUE(buffer.append(a));
    const std::vector<Column> columns{buffer.column()};
    Context context(*plan);
    Evaluated result{plan->bind({})->evaluate_tensors({1, columns}, context)->front()};
    for (const PlanStep &step : plan->steps(Stage::document)) {
        result.flops += step.flops;
        result.steps += step.what + "\n";
    }
    result.text = plan->explain();
    return result;
}

Schema schema_of(const std::string &rows_type, Tensor weights) {
    Schema schema;
    schema.document("a", rows_type);
    schema.constant("w", std::move(weights));
    return schema;
}

TEST(ZeroBlocks, AreNotMultiplied) {
    for (const std::string cell_type : {"float", "bfloat16", "int8", "double"}) {
        for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
            for (const std::size_t count : {1, 70}) {
                SCOPED_TRACE(fmt::format("{} rows of {} with {}", count, cell_type, isa));
                const std::string type = fmt::format("tensor<{}>(r[{}],x[{}])", cell_type, count, deep);
                const auto pruned = schema_of(type, matrix(cell_type, 128));
                const std::string text = "relu(reduce(a*w,sum,x)+2)";
                const Evaluated found = evaluated(text, pruned, rows(type), isa);
                EXPECT_EQ(found.value, *Expression::parse(text, pruned)->evaluate_reference({{"a", rows(type)}}));
                const Evaluated full = evaluated(text, schema_of(type, matrix(cell_type, 0)), rows(type), isa);
                EXPECT_THAT(full.text, Not(HasSubstr("blocks are zeros")));
                // 128 of 150 columns, of which 64 of 100 rows are zeros.
                const bool multiplies_all = found.text.find("vnni::matmul_i8") != std::string::npos ||
                                            found.text.find("amx::matmul") != std::string::npos;
                if (!multiplies_all) {
                    EXPECT_THAT(found.text, HasSubstr(" 55 % of its blocks are zeros"));
                    EXPECT_THAT(found.steps, HasSubstr(" 55 % of its blocks are zeros"));
                    EXPECT_NEAR(full.flops - found.flops, 2.0 * 64 * 128 * static_cast<double>(count), 1);
                }
            }
        }
    }
}

TEST(ZeroBlocks, OfFewAreMultiplied) {
    const std::string type = "tensor<float>(r[70],x[100])";
    const Evaluated found = evaluated("reduce(a*w,sum,x)", schema_of(type, matrix("float", 16)), rows(type), "native");
    EXPECT_THAT(found.text, Not(HasSubstr("blocks are zeros")));
}

TEST(ZeroBlocks, TimesInfinityAreNaN) {
    const std::string type = "tensor<float>(r[70],x[100])";
    const auto schema = schema_of(type, matrix("float", 128));
    for (const double odd : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const Tensor a = rows(type, odd);
        const std::string text = "reduce(a*w,sum,x)";
        const Tensor expected = *Expression::parse(text, schema)->evaluate_reference({{"a", a}});
        ASSERT_TRUE(std::isnan(expected.cell(0)));
        for (const char *const isa : distinct_isas({"baseline", "avx2", "native"})) {
            const Tensor found = evaluated(text, schema, a, isa).value;
            ASSERT_EQ(found.cell_count(), expected.cell_count());
            for (std::size_t i = 0; i < found.cell_count(); ++i) {
                ASSERT_TRUE(found.cell(i) == expected.cell(i) ||
                            (std::isnan(found.cell(i)) && std::isnan(expected.cell(i))))
                    << isa << ", cell " << i;
            }
        }
    }
}

// Each matrix of a stack has its own.
TEST(ZeroBlocks, OfSeveralMatrices) {
    const std::string type = "tensor<float>(b[3],r[70],x[100])";
    for (const char *const isa : distinct_isas({"baseline", "avx2", "native"})) {
        const auto schema = schema_of(type, matrix("float", 140, "b[3],"));
        const Evaluated found = evaluated("reduce(a*w,sum,x)", schema, rows(type), isa);
        EXPECT_EQ(found.value,
                  *Expression::parse("reduce(a*w,sum,x)", schema)->evaluate_reference({{"a", rows(type)}}));
        EXPECT_THAT(found.text, HasSubstr("% of its blocks are zeros"));
    }
}

}  // namespace
}  // namespace tenrex::lower::zero_blocks_test
