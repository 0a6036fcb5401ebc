// Activations and scales of products of matrices: the cells are those without them, and then what these make of them.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/kernels/matmul_products.h"

namespace tenrex::kernels {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, Products, testing::ValuesIn(all_kernels()), test_name);

void expect_rectified(const Row &out, const Row &plain) {
    ASSERT_EQ(out.length(), plain.length());
    for (std::size_t i = 0; i < out.length(); ++i) {
        const double expected = plain[i] < 0 ? 0 : plain[i];
        ASSERT_TRUE(out[i] == expected || (std::isnan(out[i]) && std::isnan(expected))) << i << ": " << out[i];
        ASSERT_EQ(std::signbit(out[i]), std::signbit(expected)) << i;
    }
}

TEST_P(Products, take_relu_for_all_shapes) {
    const std::size_t tile = kernel().column_tile;
    for (const std::size_t m : {1, 2, 5, 13, 14, 17, 33}) {
        for (const std::size_t n : {std::size_t{1}, tile - 1, tile, 2 * tile + 3, 8 * tile}) {
            for (const std::size_t k : {1, 9, 256, 300, 1024}) {
                SCOPED_TRACE(std::to_string(m) + " by " + std::to_string(n) + " by " + std::to_string(k));
                const Row a = random(m * k);
                const Row b = packed(random(k * n), k, n);
                const Row bias = random(kernel().out(), n);
                for (const Row *const added : {static_cast<const Row *>(nullptr), &bias}) {
                    expect_rectified(product(a, b, m, n, k, added, MatmulActivation::relu),
                                     product(a, b, m, n, k, added));
                }
            }
        }
    }
}

TEST_P(Products, keep_nan_and_zeros_with_relu) {
    constexpr std::size_t n = 20;
    Row bias = make_row(kernel().out(), n);
    for (std::size_t j = 0; j < n; ++j) {
        const double numbers[] = {std::nan(""), -0.0, 0, -INFINITY, INFINITY, -1e-40};
        bias.set(j, numbers[j % std::size(numbers)]);
    }
    const Row zeros = packed(make_row(kernel().type, n), 1, n);
    const Row a = random(3);
    const Row plain = product(a, zeros, 3, n, 1, &bias);
    EXPECT_TRUE(std::isnan(plain[0]));
    expect_rectified(product(a, zeros, 3, n, 1, &bias, MatmulActivation::relu), plain);
    if (exact()) {
        return;
    }
    // Products that are too small are zeros; fused additions keep their sign.
    const double small = kernel().type == CellType::f64 ? 1e-200 : 1e-30;
    Row row = make_row(kernel().type, 1);
    row.set(0, -small);
    Row columns = make_row(kernel().type, n);
    for (std::size_t j = 0; j < n; ++j) {
        columns.set(j, j % 2 == 0 ? small : -small);
    }
    const Row negative = product(row, packed(columns, 1, n), 1, n, 1);
    EXPECT_EQ(negative[0], 0);
    expect_rectified(product(row, packed(columns, 1, n), 1, n, 1, nullptr, MatmulActivation::relu), negative);
}

TEST_P(Products, take_gelu_for_all_shapes) {
    if (kernel().out() != CellType::f32) {
        GTEST_SKIP() << "no gelu of doubles";
    }
    constexpr double error = 0x1p-21;
    const std::size_t tile = kernel().column_tile;
    for (const std::size_t m : {1, 2, 13, 33}) {
        for (const std::size_t n : {std::size_t{1}, tile - 1, 2 * tile + 3}) {
            for (const std::size_t k : {1, 9, 300}) {
                const Row a = random(m * k);
                const Row b = packed(random(k * n), k, n);
                const Row bias = random(kernel().out(), n);
                const Row plain = product(a, b, m, n, k, &bias);
                const Row by_erf = product(a, b, m, n, k, &bias, MatmulActivation::gelu);
                const Row by_tanh = product(a, b, m, n, k, &bias, MatmulActivation::gelu_tanh);
                for (std::size_t i = 0; i < m * n; ++i) {
                    const double x = plain[i];
                    const double limit = error * std::max(1.0, std::fabs(x));
                    ASSERT_NEAR(by_erf[i], x * 0.5 * (1 + std::erf(x / std::sqrt(2))), limit) << x;
                    const double inner = std::sqrt(2 / std::acos(-1)) * (x + 0.044715 * x * x * x);
                    ASSERT_NEAR(by_tanh[i], x * 0.5 * (1 + std::tanh(inner)), limit) << x;
                }
            }
        }
    }
}

// Each operation is rounded, whatever the compiler would like to fuse.
float rounded(float number) {
    const volatile float once = number;
    return once;
}

TEST_P(Products, are_scaled_by_row_and_column) {
    if (kernel().out() != CellType::f32) {
        GTEST_SKIP() << "sums that are doubles are not scaled";
    }
    const auto floats = [](std::size_t count) {
        const Row row = random(CellType::f32, count);
        std::vector<float> numbers(count);
        for (std::size_t i = 0; i < count; ++i) {
            numbers[i] = static_cast<float>(row[i]);
        }
        return numbers;
    };
    const std::size_t tile = kernel().column_tile;
    for (const std::size_t m : {1, 2, 13, 33, 150}) {
        for (const std::size_t n : {std::size_t{1}, tile - 1, 2 * tile + 3, 8 * tile}) {
            for (const std::size_t k : {1, 9, 300, 1024}) {
                const Row a = random(m * k);
                const Row b = packed(random(k * n), k, n);
                const Row bias = random(kernel().out(), n);
                const std::vector<float> row_scale = floats(m), row_offset = floats(m);
                const std::vector<float> column_scale = floats(n), column_offset = floats(n);
                const MatmulScaling scaling{row_scale.data(), column_scale.data(), row_offset.data(),
                                            column_offset.data()};
                const Row sums = product(a, b, m, n, k);
                for (const bool has_bias : {false, true}) {
                    const Row out =
                        product(a, b, m, n, k, has_bias ? &bias : nullptr, MatmulActivation::none, &scaling);
                    for (std::size_t i = 0; i < m * n; ++i) {
                        const float scaled =
                            rounded(rounded(static_cast<float>(sums[i]) * row_scale[i / n]) * column_scale[i % n]);
                        float expected = rounded(scaled + rounded(row_offset[i / n] * column_offset[i % n]));
                        expected = has_bias ? rounded(static_cast<float>(bias[i % n]) + expected) : expected;
                        ASSERT_EQ(out[i], expected) << m << " by " << n << " by " << k << ", " << i;
                    }
                    expect_rectified(
                        product(a, b, m, n, k, has_bias ? &bias : nullptr, MatmulActivation::relu, &scaling), out);
                }
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
