// Holds the kernels to the units of lib/support/functions.def. With TENREX_PRINT_ULPS=1 in the environment it prints
// the largest errors it finds; TENREX_ULP_SAMPLES=300000 searches longer.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/kernels/elementwise_reference.h"

namespace tenrex::kernels {
namespace {

class ElementwiseAccuracy : public testing::TestWithParam<const ElementwiseKernel *> {};

std::vector<const ElementwiseKernel *> inexact_kernels() {
    std::vector<const ElementwiseKernel *> found;
    for (const ElementwiseKernel &kernel : elementwise_kernels()) {
        if (ulp_bound(kernel.operation, kernel.type) > 0) {
            found.push_back(&kernel);
        }
    }
    return found;
}

std::string test_name(const testing::TestParamInfo<const ElementwiseKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, ElementwiseAccuracy, testing::ValuesIn(inexact_kernels()), test_name);

// Edges with each other, numbers from where the function is used, and numbers of any size.
template <class T>
void draw(const ElementwiseKernel &kernel, std::vector<T> &a, std::vector<T> &b) {
    std::mt19937_64 random(3);
    const ScalarFunctionInfo &function = info(static_cast<ScalarFunction>(kernel.operation));
    const std::vector<T> values = edges<T>();
    for (T x : values) {
        for (std::size_t i = 0; i < (function.arity == 1 ? 1 : 40); ++i) {
            a.push_back(x);
            b.push_back(values[random() % values.size()]);
        }
    }
    const char *more = std::getenv("TENREX_ULP_SAMPLES");  // NOLINT(concurrency-mt-unsafe): nobody changes it
    const int samples = more == nullptr ? 6000 : std::atoi(more);
    std::uniform_real_distribution<double> usual(function.from, function.to);
    std::uniform_real_distribution<double> exponent(-40, 12);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < samples; ++i) {
        a.push_back(static_cast<T>(usual(random)));
        b.push_back(static_cast<T>(usual(random)));
        const double x = std::exp2(i % 2 == 0 ? exponent(random) : exponent(random) / 8);
        a.push_back(static_cast<T>(unit(random) < 0 && function.arity == 1 ? -x : x));
        b.push_back(static_cast<T>(unit(random) * std::min(800 / std::fabs(std::log2(x)), 1e4)));
        // Any bits at all.
        T bits{};
        const std::uint64_t word = random();
        std::memcpy(&bits, &word, sizeof(bits));
        a.push_back(bits);
        b.push_back(static_cast<T>(unit(random) * 20));
        // Close to 1.
        a.push_back(static_cast<T>(1 + unit(random) * std::exp2(exponent(random) / 4 - 3)));
        b.push_back(static_cast<T>(unit(random) * 1000));
    }
}

template <class T>
void check(const ElementwiseKernel &kernel) {
    std::vector<T> a;
    std::vector<T> b;
    draw<T>(kernel, a, b);
    std::vector<T> out(a.size());
    kernel.function({a.data(), b.data(), nullptr, out.data(), a.size(), 0});
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long double wanted = exact(kernel.operation, a[i], b[i], 0);
        const double ulps = ulps_between(out[i], wanted);
        if (wanted == 0) {
            ASSERT_EQ(std::signbit(out[i]), std::signbit(wanted))
                << full_name(kernel) << " of " << a[i] << ", " << b[i];
        }
        if (!(ulps <= worst)) {
            worst = ulps;
            at = i;
        }
    }
    EXPECT_LE(worst, ulp_bound(kernel.operation, kernel.type))
        << full_name(kernel) << " of " << std::hexfloat << a[at] << ", " << b[at] << " (" << std::defaultfloat << a[at]
        << ", " << b[at] << ") gives " << out[at] << ", not " << exact(kernel.operation, a[at], b[at], 0);
    if (std::getenv("TENREX_PRINT_ULPS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
        std::printf("%-28s %.3f at %a, %a\n", full_name(kernel).c_str(), worst, static_cast<double>(a[at]),
                    static_cast<double>(b[at]));
    }
}

TEST_P(ElementwiseAccuracy, is_as_listed) {
    const ElementwiseKernel &kernel = *GetParam();
    const Isa absent = target_isa(kernel.target) - detected_isa();
    if (!absent.empty()) {
        GTEST_SKIP() << "this CPU lacks " << to_string(absent);
    }
    kernel.type == CellType::f32 ? check<float>(kernel) : check<double>(kernel);
}

TEST(ElementwiseAccuracyList, is_shown_in_numerics_md) {
    std::ifstream file("docs/numerics.md");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (ElementwiseOperation operation : all_elementwise_operations) {
        const double floats = ulp_bound(operation, CellType::f32);
        const double doubles = ulp_bound(operation, CellType::f64);
        if (floats > 0) {
            std::ostringstream row;
            row << "\n| `" << name(operation) << "` | " << floats << " | " << doubles << " |\n";
            EXPECT_NE(text.find(row.str()), std::string::npos) << row.str();
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
