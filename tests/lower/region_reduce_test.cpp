// Rows of what a region computes are aggregated tile by tile: right, and with the same bits for every number of
// documents and every way in which their cells may lie.
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lower/formula_check.h"

namespace tenrex {
namespace {

class RegionReductions : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(All, RegionReductions, testing::Values("baseline", "avx2", "native"),
                         [](const auto &test) { return std::string(test.param); });

TEST_P(RegionReductions, OfAllCells) {
    for (const int cells : {64, 65, 100, 1024, 1025, 3100}) {
        for (const char *type : {"<float>", "<bfloat16>", ""}) {
            const std::string of_type = fmt::format("tensor{}(x[{}])", type, cells);
            const std::vector<Input> inputs = {{"v", Stage::document, of_type},
                                               {"w", Stage::query, fmt::format("tensor<float>(x[{}])", cells)},
                                               {"s", Stage::document}};
            check("sum(v+w)", inputs, GetParam());
            check("reduce(v+w*2,max)", inputs, GetParam());
            check("avg(exp(v*0.1)+s)", inputs, GetParam());
            check("reduce(v*s,min)", inputs, GetParam());
        }
        check("reduce(v*0.125+1,prod)", {{"v", Stage::document, fmt::format("tensor<float>(x[{}])", cells % 100 + 64)}},
              GetParam());
    }
}

TEST_P(RegionReductions, OfRowsBesideWhatIsBroadcast) {
    for (const auto &[rows, cells] : {std::pair(3, 64), {21, 65}, {61, 64}, {2, 1030}, {40, 16}}) {
        for (const char *type : {"<float>", ""}) {
            const std::vector<Input> inputs = {
                {"m", Stage::document, fmt::format("tensor{}(r[{}],x[{}])", type, rows, cells)},
                {"r", Stage::query, fmt::format("tensor<float>(x[{}])", cells)},
                {"c", Stage::document, fmt::format("tensor<float>(r[{}])", rows)},
                {"d", Stage::document, fmt::format("tensor<float>(x[{}])", cells)}};
            check("sum(m+r)", inputs, GetParam());
            check("sum(m-c)", inputs, GetParam());
            check("reduce(c*d+m,max)", inputs, GetParam());
            check("sum(relu(m-c)*d)", inputs, GetParam());
            if (cells >= 64) {
                check("reduce(m*c,min,x)", inputs, GetParam());
                check("avg(tanh(m)*r+c,x)", inputs, GetParam());
            }
        }
    }
}

TEST_P(RegionReductions, OfOuterProductsAndTransposedMatrices) {
    const std::vector<Input> inputs = {{"a", Stage::document, "tensor<float>(x[64])"},
                                       {"b", Stage::document, "tensor<float>(y[33])"},
                                       {"m", Stage::document, "tensor<float>(x[64],y[33])"},
                                       {"n", Stage::document, "tensor<float>(x[33],y[64])"}};
    check("sum(a*b+1)", inputs, GetParam());
    check("reduce(a*b,max)", inputs, GetParam());
    check("sum(m+rename(n,(x,y),(y,x)))", inputs, GetParam());
    check("reduce(m*rename(n,(x,y),(y,x))+b,max)", inputs, GetParam());
}

// A block may end anywhere in a tile, and its rows are the document's own.
TEST_P(RegionReductions, OfNumbersThatNoFloatHolds) {
    const std::vector<Input> inputs = {{"v", Stage::document, "tensor<float>(x[300])"}, {"s", Stage::document}};
    check("sum(v*(s*1e300))", inputs, GetParam());
    check("reduce(v+s*1e300,max)", inputs, GetParam());
}

TEST_P(RegionReductions, PassOverCellsThatAreNoNumbers) {
    Schema schema;
    schema.document("v", "tensor<float>(x[70])").document("w", "tensor<float>(x[70])");
    CompileOptions options;
    options.max_isa = GetParam();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char *text : {"reduce(v+w,max)", "reduce(v+w,min)", "sum(v+w)", "reduce(v*w,max)"}) {
        const auto plan = compile(text, schema, options);
        ASSERT_TRUE(plan);
        const auto expression = Expression::parse(text, schema);
        const auto query = plan->bind(std::vector<NamedTensor>());
        for (const double some : {nan, -infinity, infinity, 1.0}) {
            for (const std::size_t place : {0, 15, 16, 63, 64, 69}) {
                for (const double others : {nan, -infinity, infinity, -2.0}) {
                    std::vector<float> v(70, static_cast<float>(others));
                    v[place] = static_cast<float>(some);
                    const std::vector<float> w(70, 1);
                    TensorBuilder a(*TensorType::parse("tensor<float>(x[70])"));
                    TensorBuilder b(*TensorType::parse("tensor<float>(x[70])"));
                    a.block({});
                    b.block({});
                    for (std::size_t i = 0; i < v.size(); ++i) {
                        a.set(0, i, v[i]);
                        b.set(0, i, w[i]);
                    }
                    const auto expected = expression->evaluate_reference_bounded(
                        {{"v", std::move(a).build()}, {"w", std::move(b).build()}});
                    ASSERT_TRUE(expected);
                    Context context(*plan);
                    const Column columns[] = {Column::dense(v.data(), 0), Column::dense(w.data(), 0)};
                    const auto score = query->evaluate_tensors({1, columns}, context);
                    ASSERT_TRUE(score);
                    EXPECT_EQ(conformance::difference(score->front(), *expected), "")
                        << text << ": " << some << " at " << place << " among " << others;
                }
            }
        }
    }
}

}  // namespace
}  // namespace tenrex
