// Products of matrices of numbers at the ends of what cells can hold: infinities, NaN, denormal numbers, long sums of
// int8.
#include <cmath>
#include <limits>

#include "tests/kernels/matmul_products.h"

namespace tenrex::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(Kernels, Products, testing::ValuesIn(all_kernels()), test_name);

TEST_P(Products, pass_over_nan_in_a_reduction) {
    if (exact()) {
        const Row ones = packed(Row{CellType::i8, {1, 2}}, 1, 2);
        Row before = make_row(CellType::f32, 2);
        before.set(0, std::nan(""));
        before.set(1, infinity);
        const Row out = reduced(MatmulReduction::max, Row{CellType::i8, {3, 4}}, ones, 2, 2, 1, &before);
        EXPECT_EQ(out[0], 4);
        EXPECT_EQ(out[1], infinity);
        return;
    }
    const double nan = std::nan("");
    for (MatmulReduction reduction : {MatmulReduction::max, MatmulReduction::min}) {
        for (std::size_t m : {1, 2, 3, 15, 40}) {
            for (std::size_t at = 0; at < m; ++at) {
                // With 1 and 0 for b, the cells of a are the product. First one row is NaN, then all but one.
                Row a = make_row(kernel().type, m * 2);
                Row b = make_row(kernel().type, 2);
                b.set(0, 1);
                double expected = nan;
                for (std::size_t i = 0; i < m; ++i) {
                    const double value = i == at ? nan : static_cast<double>(i % 7) - 3;
                    a.set(2 * i, value);
                    expected = best(reduction, expected, value);
                }
                Row out = reduced(reduction, a, packed(b, 2, 1), m, 1, 2);
                EXPECT_TRUE(out[0] == expected || (m == 1 && std::isnan(out[0]))) << at << " of " << m;
                for (std::size_t i = 0; i < m; ++i) {
                    a.set(2 * i, i == at ? -infinity : nan);
                }
                out = reduced(reduction, a, packed(b, 2, 1), m, 1, 2);
                EXPECT_EQ(out[0], -infinity) << at << " of " << m;
                Row before = make_row(kernel().out(), 1);
                before.set(0, nan);
                EXPECT_EQ(reduced(reduction, a, packed(b, 2, 1), m, 1, 2, &before)[0], -infinity);
            }
        }
    }
}

// Numbers of all magnitudes, denormal ones among them. A term that float cannot hold is off by as much as the least
// number.
TEST_P(Products, keep_numbers_near_zero) {
    if (exact()) {
        return;
    }
    std::mt19937 engine(2);
    const bool in_float = kernel().out() == CellType::f32;
    const double unit = in_float ? 0x1p-24 : 0x1p-53;
    const double least = in_float ? 0x1p-149 : 0;
    constexpr int exponents[][2] = {{-1, 1}, {-70, 0}, {-64, -60}, {-133, -120}, {-133, 30}, {0, 50}, {-90, -80}};
    const auto numbers = [&](std::size_t rows, std::size_t length) {
        Row cells = make_row(kernel().type, rows * length);
        for (std::size_t i = 0; i < rows * length; ++i) {
            const auto &[from, to] = exponents[i / length % std::size(exponents)];
            const double number = std::uniform_real_distribution<double>(-1, 1)(engine);
            const int exponent = std::uniform_int_distribution<int>(from, to)(engine);
            cells.set(i, engine() % 5 == 0 ? 0 : std::ldexp(number, exponent));
        }
        return cells;
    };
    for (std::size_t k : {1, 2, 31, 40, 300, 801}) {
        const std::size_t m = 35;
        const std::size_t n = 37;
        const Row a = numbers(m, k);
        const Row columns = numbers(n, k);
        Row packed_b = make_row(kernel().type, packed_cells(kernel(), k, n));
        kernel().pack({columns.bytes.data(), 1, static_cast<std::ptrdiff_t>(k), k, n, packed_b.bytes.data()});
        const Row out = product(a, packed_b, m, n, k);
        const double terms = static_cast<double>(std::min(k, std::size_t{256}) + k / 256 + 2);
        for (std::size_t i = 0; i < m; ++i) {
            EXPECT_EQ(product(part(a, i * k, k), packed_b, 1, n, k).bytes, part(out, i * n, n).bytes) << i;
            for (std::size_t j = 0; j < n; ++j) {
                long double sum = 0;
                long double magnitude = 0;
                for (std::size_t l = 0; l < k; ++l) {
                    const long double term = static_cast<long double>(a[i * k + l]) * columns[j * k + l];
                    sum += term;
                    magnitude += std::fabs(term);
                }
                ASSERT_LE(std::fabs(out[i * n + j] - sum), terms * unit * magnitude + static_cast<double>(k) * least)
                    << "k " << k << " cell " << i << ", " << j << " " << static_cast<double>(sum);
            }
        }
        // Nor do columns that hold such numbers have a say in the cells of others.
        for (std::size_t j = 0; j < n; ++j) {
            const Row alone = product(a, packed(part(columns, j * k, k), k, 1), m, 1, k);
            for (std::size_t i = 0; i < m; ++i) {
                ASSERT_EQ(alone[i], out[i * n + j]) << i << ", " << j;
            }
        }
    }
}

// (1+e)(1+e) - (1+2e) is e^2, the least sum that such cells can have: exact, if float can hold it.
TEST_P(Products, may_cancel_to_numbers_near_zero) {
    if (exact()) {
        return;
    }
    constexpr double e = 0x1p-7;
    for (int exponent = -40; exponent > -90; --exponent) {
        for (std::size_t second : {1, 2, 40}) {
            const std::size_t k = 41;
            Row a = make_row(kernel().type, 20 * k);
            Row b = make_row(kernel().type, k);
            for (std::size_t i = 0; i < 20; ++i) {
                a.set(i * k, std::ldexp(1 + e, -60));
                a.set(i * k + second, std::ldexp(-1 - 2 * e, -60));
            }
            b.set(0, std::ldexp(1 + e, exponent));
            b.set(second, std::ldexp(1, exponent));
            const Row out = product(a, packed(b, k, 1), 20, 1, k);
            const double expected = std::ldexp(1, exponent - 60 - 14);
            // Beyond the range of float a single product is rounded, too.
            if (kernel().out() == CellType::f64 || expected >= 0x1p-149) {
                EXPECT_EQ(out[0], expected) << exponent;
            }
            EXPECT_EQ(out[19], out[0]) << exponent;
        }
    }
}

TEST_P(Products, follow_ieee_for_two_terms_of_any_kind) {
    if (exact()) {
        return;
    }
    const double nan = std::nan("");
    const double denormal = 0x1p-130;
    const double cells[] = {0, -0.0, 1, -2, denormal, 0x1p100, infinity, -infinity, nan};
    for (std::size_t k : {2, 33, 70}) {
        for (double x : cells) {
            for (double y : cells) {
                // The second term is of the same row and column: it must not hide what the first one gives.
                for (double other : {0.0, 1.0, denormal, infinity, nan}) {
                    Row a = make_row(kernel().type, k);
                    Row b = make_row(kernel().type, k * 2);
                    a.set(k - 1, x);
                    b.set(2 * (k - 1), y);
                    a.set(0, other);
                    b.set(0, 1);
                    b.set(1, 1);
                    const Row out = product(a, packed(b, k, 2), 1, 2, k);
                    const double expected = kernel().out() == CellType::f32
                                                ? static_cast<double>(static_cast<float>(x) * static_cast<float>(y) +
                                                                      static_cast<float>(other))
                                                : x * y + other;
                    const double zero_column = x * 0 + other;
                    EXPECT_TRUE(out[0] == expected || (std::isnan(out[0]) && std::isnan(expected)))
                        << x << " times " << y << " and " << other << " is not " << out[0];
                    EXPECT_TRUE(out[1] == zero_column || (std::isnan(out[1]) && std::isnan(zero_column)))
                        << x << " times 0 and " << other << " is not " << out[1];
                }
            }
        }
    }
}

// int8 sums beyond 24 and beyond 31 bits, also on the way to a small total.
TEST_P(Products, of_int8_cells_are_exact) {
    if (!exact()) {
        return;
    }
    for (std::size_t k : {3, 1023, 1024, 1025, 65535, 65536, 65537, 140001}) {
        const std::size_t n = 3;
        Row a = random(2 * k);
        Row b = random(k * n);
        for (std::size_t l = 0; l < k; ++l) {
            a.set(l, -128);
            b.set(l * n, -128);
            b.set(l * n + 1, l < k / 2 ? 127 : -128);
        }
        const Row packed_b = packed(b, k, n);
        const Row out = product(a, packed_b, 2, n, k);
        const Row least = reduced(MatmulReduction::min, a, packed_b, 2, n, k);
        for (std::size_t j = 0; j < n; ++j) {
            std::int64_t sums[2] = {};
            for (std::size_t l = 0; l < k; ++l) {
                sums[0] += static_cast<std::int64_t>(a[l] * b[l * n + j]);
                sums[1] += static_cast<std::int64_t>(a[k + l] * b[l * n + j]);
            }
            EXPECT_EQ(out[j], static_cast<double>(static_cast<float>(sums[0]))) << k << ", column " << j;
            EXPECT_EQ(out[n + j], static_cast<double>(static_cast<float>(sums[1]))) << k << ", column " << j;
            EXPECT_EQ(least[j], std::min(out[j], out[n + j])) << k << ", column " << j;
        }
    }
}

TEST_P(Products, follow_ieee_for_infinities_and_nan) {
    if (exact()) {
        return;
    }
    const std::size_t n = kernel().column_tile + 1;
    for (std::size_t k : {1, 3, 256, 257, 600}) {
        const Row b = random(k * n);
        for (double value : {infinity, -infinity, std::nan("")}) {
            for (std::size_t at : {std::size_t{0}, k / 2, k - 1}) {
                Row a = random(2 * k);
                a.set(at, value);
                const Row out = product(a, packed(b, k, n), 2, n, k);
                for (std::size_t j = 0; j < n; ++j) {
                    const double expected = value * b[at * n + j];
                    EXPECT_TRUE(out[j] == expected || (std::isnan(expected) && std::isnan(out[j])));
                    EXPECT_TRUE(std::isfinite(out[n + j]));
                }
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
