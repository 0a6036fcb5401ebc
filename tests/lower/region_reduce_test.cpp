// Rows of what a region computes are aggregated tile by tile: right, and with the same bits for every number of
// documents and every way in which their cells may lie.
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/conformance/isas.h"
#include "tests/lower/formula_check.h"

namespace tenrex {
namespace {

TEST(RegionReductions, OfAllCells) {
    for (const int cells : {64, 65, 100, 1024, 1025, 3100}) {
        for (const char *type : {"<float>", "<bfloat16>", ""}) {
            const std::string of_type = fmt::format("tensor{}(x[{}])", type, cells);
            const std::vector<Input> inputs = {{"v", Stage::document, of_type},
                                               {"w", Stage::query, fmt::format("tensor<float>(x[{}])", cells)},
                                               {"s", Stage::document}};
            check("sum(v+w)", inputs);
            check("reduce(v+w*2,max)", inputs);
            check("avg(exp(v*0.1)+s)", inputs);
            check("reduce(v*s,min)", inputs);
        }
        check("reduce(v*0.125+1,prod)",
              {{"v", Stage::document, fmt::format("tensor<float>(x[{}])", cells % 100 + 64)}});
    }
}

TEST(RegionReductions, OfRowsBesideWhatIsBroadcast) {
    for (const auto &[rows, cells] : {std::pair(3, 64), {21, 65}, {61, 64}, {2, 1030}, {40, 16}}) {
        for (const char *type : {"<float>", ""}) {
            const std::vector<Input> inputs = {
                {"m", Stage::document, fmt::format("tensor{}(r[{}],x[{}])", type, rows, cells)},
                {"r", Stage::query, fmt::format("tensor<float>(x[{}])", cells)},
                {"c", Stage::document, fmt::format("tensor<float>(r[{}])", rows)},
                {"d", Stage::document, fmt::format("tensor<float>(x[{}])", cells)}};
            check("sum(m+r)", inputs);
            check("sum(m-c)", inputs);
            check("reduce(c*d+m,max)", inputs);
            check("sum(relu(m-c)*d)", inputs);
            if (cells >= 64) {
                check("reduce(m*c,min,x)", inputs);
                check("avg(tanh(m)*r+c,x)", inputs);
            }
        }
    }
}

TEST(RegionReductions, OfOuterProductsAndTransposedMatrices) {
    const std::vector<Input> inputs = {{"a", Stage::document, "tensor<float>(x[64])"},
                                       {"b", Stage::document, "tensor<float>(y[33])"},
                                       {"m", Stage::document, "tensor<float>(x[64],y[33])"},
                                       {"n", Stage::document, "tensor<float>(x[33],y[64])"}};
    check("sum(a*b+1)", inputs);
    check("reduce(a*b,max)", inputs);
    check("sum(m+rename(n,(x,y),(y,x)))", inputs);
    check("reduce(m*rename(n,(x,y),(y,x))+b,max)", inputs);
}

// A block may end anywhere in a tile, and its rows are the document's own.
TEST(RegionReductions, OfNumbersThatNoFloatHolds) {
    const std::vector<Input> inputs = {{"v", Stage::document, "tensor<float>(x[300])"}, {"s", Stage::document}};
    check("sum(v*(s*1e300))", inputs);
    check("reduce(v+s*1e300,max)", inputs);
}

TEST(RegionReductions, PassOverCellsThatAreNoNumbers) {
    Schema schema;
    schema.document("v", "tensor<float>(x[70])").document("w", "tensor<float>(x[70])");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char *text : {"reduce(v+w,max)", "reduce(v+w,min)", "sum(v+w)", "reduce(v*w,max)"}) {
        const auto expression = Expression::parse(text, schema);
        std::vector<Plan> plans;
        for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
            CompileOptions options;
            options.max_isa = isa;
            plans.push_back(*compile(text, schema, options));
        }
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
                    const Column columns[] = {Column::dense(v.data(), 0), Column::dense(w.data(), 0)};
                    for (const Plan &plan : plans) {
                        Context context(plan);
                        const auto score =
                            plan.bind(std::vector<NamedTensor>())->evaluate_tensors({1, columns}, context);
                        ASSERT_TRUE(score);
                        EXPECT_EQ(conformance::difference(score->front(), *expected), "")
                            << text << ": " << some << " at " << place << " among " << others << "\n"
                            << plan.explain();
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace tenrex
