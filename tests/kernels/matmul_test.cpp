#include "lib/kernels/matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/kernels/matmul_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Every kernel of the list, one test each; those that this machine cannot run are skipped and say why.
class Products : public testing::TestWithParam<const MatmulKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const MatmulKernel &kernel() { return *GetParam(); }
    static std::size_t cell_size() { return byte_size(kernel().type); }
    static Row random(CellType type, std::size_t cells) {
        static std::mt19937 engine(1);
        return random_row(type, cells, engine);
    }
    static Row random(std::size_t cells) { return random(kernel().type, cells); }
    static bool exact() { return kernel().type == CellType::i8; }

    // b[k][n] in rows, packed.
    static Row packed(const Row &b, std::size_t k, std::size_t n) {
        Row result = make_row(kernel().type, packed_cells(kernel(), k, n));
        kernel().pack({b.bytes.data(), static_cast<std::ptrdiff_t>(n), 1, k, n, result.bytes.data()});
        return result;
    }
    static Row product(const Row &a, const Row &packed_b, std::size_t m, std::size_t n, std::size_t k,
                       const Row *bias = nullptr) {
        Row out = make_row(kernel().out(), m * n);
        kernel().function({a.bytes.data(), static_cast<std::ptrdiff_t>(k), 1, packed_b.bytes.data(), m, n, k,
                           bias == nullptr ? nullptr : bias->bytes.data(), out.bytes.data(),
                           static_cast<std::ptrdiff_t>(n)});
        return out;
    }
    static Row reduced(MatmulReduction reduction, const Row &a, const Row &packed_b, std::size_t m, std::size_t n,
                       std::size_t k, const Row *before = nullptr) {
        Row out = before == nullptr ? make_row(kernel().out(), n) : *before;
        kernel().reduce({reduction, a.bytes.data(), static_cast<std::ptrdiff_t>(k), 1, packed_b.bytes.data(), m, n, k,
                         out.bytes.data(), before != nullptr});
        return out;
    }
    static Row part(const Row &cells, std::size_t from, std::size_t count) {
        const std::size_t size = byte_size(cells.type);
        const auto first = cells.bytes.begin() + static_cast<std::ptrdiff_t>(from * size);
        return {cells.type, std::vector<char>(first, first + static_cast<std::ptrdiff_t>(count * size))};
    }

    // What reduce() must give for these rows of a product, from its definition.
    static double best(MatmulReduction reduction, double x, double y) {
        if (std::isnan(x) || std::isnan(y)) {
            return std::isnan(x) ? y : x;
        }
        return reduction == MatmulReduction::max ? std::max(x, y) : std::min(x, y);
    }
};

std::vector<const MatmulKernel *> all_kernels() {
    std::vector<const MatmulKernel *> all;
    for (const MatmulKernel &kernel : matmul_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<const MatmulKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Products, testing::ValuesIn(all_kernels()), test_name);

TEST_P(Products, have_errors_within_the_bound) {
    const double unit = kernel().out() == CellType::f32 ? 0x1p-24 : 0x1p-53;
    for (std::size_t k : {1, 2, 3, 7, 8, 64, 100, 255, 256, 257, 511, 512, 513, 5000}) {
        const std::size_t m = k > 1000 ? 3 : 17;
        const std::size_t n = k > 1000 ? 5 : 37;
        const Row a = random(m * k);
        const Row b = random(k * n);
        const Row bias = random(kernel().out(), n);
        const Row out = product(a, packed(b, k, n), m, n, k, &bias);
        const double terms = exact() ? 1 : static_cast<double>(std::min(k, std::size_t{256}) + k / 256 + 1);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                long double sum = bias[j];
                long double magnitude = std::fabs(bias[j]);
                for (std::size_t l = 0; l < k; ++l) {
                    const long double term = static_cast<long double>(a[i * k + l]) * b[l * n + j];
                    sum += term;
                    magnitude += std::fabs(term);
                }
                ASSERT_LE(std::fabs(out[i * n + j] - sum), (terms + 1) * unit * magnitude)
                    << "k " << k << " cell " << i << ", " << j;
            }
        }
    }
}

// Whole numbers, whose products are exact, so that any wrong cell shows.
TEST_P(Products, are_those_of_the_definition_for_all_shapes) {
    const std::size_t tile = kernel().column_tile;
    std::vector<std::size_t> widths = {
        1, 2, 3, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 1, 9 * tile};
    constexpr std::size_t deepest = 258;
    Row numbers = make_row(kernel().type, std::max(widths.back(), std::size_t{47}) * deepest + 11);
    for (std::size_t i = 0; i < numbers.length(); ++i) {
        numbers.set(i, static_cast<double>(i * 7919 % 31) - 15);
    }
    for (std::size_t n : widths) {
        for (std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{5}, deepest}) {
            const Row b = part(numbers, 11, k * n);
            const Row packed_b = packed(b, k, n);
            const std::size_t all = k > 100 ? 30 : 47;
            const Row a = part(numbers, 5, all * k);
            std::vector<double> expected(all * n);
            for (std::size_t i = 0; i < all; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    for (std::size_t l = 0; l < k; ++l) {
                        expected[i * n + j] += a[i * k + l] * b[l * n + j];
                    }
                }
            }
            for (std::size_t m = 0; m <= all; ++m) {
                const Row out = product(a, packed_b, m, n, k);
                for (std::size_t i = 0; i < m * n; ++i) {
                    ASSERT_EQ(out[i], expected[i]) << m << " by " << n << " by " << k << ", cell " << i;
                }
                for (MatmulReduction reduction : {MatmulReduction::max, MatmulReduction::min}) {
                    if (m == 0) {
                        continue;
                    }
                    const Row few = reduced(reduction, a, packed_b, m, n, k);
                    const Row more = reduced(reduction, a, packed_b, m, n, k, &few);
                    for (std::size_t j = 0; j < n; ++j) {
                        double column = expected[j];
                        for (std::size_t i = 1; i < m; ++i) {
                            column = best(reduction, column, expected[i * n + j]);
                        }
                        ASSERT_EQ(few[j], column) << m << " by " << n << " by " << k << ", column " << j;
                        ASSERT_EQ(more[j], column);
                    }
                }
            }
        }
    }
}

TEST_P(Products, of_a_row_do_not_depend_on_its_company) {
    const std::size_t tile = kernel().column_tile;
    for (std::size_t k : {7, 300, 1000}) {
        const std::size_t m = 150;
        const std::size_t n = 9 * tile + 2;
        const Row a = random(m * k);
        const Row b = random(k * n);
        const Row bias = random(kernel().out(), n);
        const Row packed_b = packed(b, k, n);
        const Row together = product(a, packed_b, m, n, k, &bias);
        for (std::size_t i = 0; i < m; i += i < 20 ? 1 : 9) {
            EXPECT_EQ(product(part(a, i * k, k), packed_b, 1, n, k, &bias).bytes, part(together, i * n, n).bytes) << i;
            const std::size_t count = std::min(m - i, 1 + i % 11);
            EXPECT_EQ(product(part(a, i * k, count * k), packed_b, count, n, k, &bias).bytes,
                      part(together, i * n, count * n).bytes)
                << i << " to " << i + count;
            const Row alone = reduced(MatmulReduction::max, part(a, i * k, k), packed_b, 1, n, k);
            EXPECT_EQ(alone.bytes, product(part(a, i * k, k), packed_b, 1, n, k).bytes) << i;
        }
        // Nor do columns on how many there are.
        Row column = make_row(kernel().type, k);
        for (std::size_t l = 0; l < k; ++l) {
            column.set(l, b[l * n + n - 1]);
        }
        const Row alone = product(a, packed(column, k, 1), m, 1, k);
        const Row whole = product(a, packed_b, m, n, k);
        for (std::size_t i = 0; i < m; ++i) {
            ASSERT_EQ(alone[i], whole[i * n + n - 1]) << i;
        }
    }
}

TEST_P(Products, touch_their_operands_and_nothing_else) {
    const std::size_t tile = kernel().column_tile;
    const std::size_t size = cell_size();
    const std::size_t out_size = byte_size(kernel().out());
    const GuardedMemory a_memory(40 * 310 * 3 * size);
    const GuardedMemory b_memory(310 * 130 * size);
    const GuardedMemory packed_memory(310 * 150 * std::max<std::size_t>(size, 4));
    const GuardedMemory bias_memory(150 * out_size);
    const GuardedMemory out_memory(40 * 140 * out_size);
    std::size_t variant = 0;
    for (std::size_t m : {1, 2, 3, 5, 13, 14, 15, 29}) {
        for (std::size_t n : {std::size_t{1}, std::size_t{3}, tile - 1, tile, tile + 1, 2 * tile + 3, 8 * tile}) {
            for (std::size_t k : {1, 2, 9, 300}) {
                ++variant;
                const bool at_end = variant % 2 == 0;
                const std::size_t shift = variant % 3 == 0 ? 1 : 0;  // in bytes: nothing need be aligned
                const auto place = [&](const GuardedMemory &memory, std::size_t bytes) {
                    return at_end ? memory.back(bytes) : memory.front() + shift;
                };
                // a: rows one after the other, with a gap, or columns one after the other; b: rows or columns.
                const bool a_columns = variant % 5 == 0;
                const bool b_columns = variant % 4 < 2;
                const std::size_t a_row = a_columns ? 1 : k + variant % 3;
                const std::size_t a_k = a_columns ? m : 1;
                const std::size_t a_extent = (m - 1) * a_row + (k - 1) * a_k + 1;
                const std::size_t b_k = b_columns ? 1 : n;
                const std::size_t b_n = b_columns ? k : 1;
                const std::size_t out_row = n + variant % 3;
                const std::size_t out_extent = (m - 1) * out_row + n;
                const Row cells_of_a = random(a_extent);
                const Row cells_of_b = random(k * n);
                const Row cells_of_bias = random(kernel().out(), n);
                char *a =
                    std::copy(cells_of_a.bytes.begin(), cells_of_a.bytes.end(), place(a_memory, a_extent * size)) -
                    a_extent * size;
                char *b = std::copy(cells_of_b.bytes.begin(), cells_of_b.bytes.end(), place(b_memory, k * n * size)) -
                          k * n * size;
                char *bias = std::copy(cells_of_bias.bytes.begin(), cells_of_bias.bytes.end(),
                                       place(bias_memory, n * out_size)) -
                             n * out_size;
                char *packed_b = place(packed_memory, packed_cells(kernel(), k, n) * size);
                char *out = place(out_memory, out_extent * out_size);
                const auto unchanged = [&](char *first, std::size_t count) {
                    char *from = std::max(out_memory.front(), first - 64);
                    char *to = std::min(out_memory.front() + out_memory.size(), first + count + 64);
                    return std::count(from, first, char{85}) == first - from &&
                           std::count(first + count, to, char{85}) == to - first - static_cast<std::ptrdiff_t>(count);
                };
                kernel().pack({b, static_cast<std::ptrdiff_t>(b_k), static_cast<std::ptrdiff_t>(b_n), k, n, packed_b});
                std::fill(out_memory.front(), out_memory.front() + out_memory.size(), char{85});
                kernel().function({a, static_cast<std::ptrdiff_t>(a_row), static_cast<std::ptrdiff_t>(a_k), packed_b, m,
                                   n, k, bias, out, static_cast<std::ptrdiff_t>(out_row)});
                ASSERT_TRUE(unchanged(out, out_extent * out_size)) << m << " by " << n << " by " << k;
                // The same from plain operands.
                Row plain_a = make_row(kernel().type, m * k);
                Row plain_b = make_row(kernel().type, k * n);
                for (std::size_t l = 0; l < k; ++l) {
                    for (std::size_t i = 0; i < m; ++i) {
                        plain_a.set(i * k + l, cells_of_a[i * a_row + l * a_k]);
                    }
                    for (std::size_t j = 0; j < n; ++j) {
                        plain_b.set(l * n + j, cells_of_b[l * b_k + j * b_n]);
                    }
                }
                const Row plain_packed = packed(plain_b, k, n);
                const Row expected = product(plain_a, plain_packed, m, n, k, &cells_of_bias);
                for (std::size_t i = 0; i < m; ++i) {
                    char *row = out + i * out_row * out_size;
                    ASSERT_EQ(std::vector<char>(row, row + n * out_size), part(expected, i * n, n).bytes)
                        << m << " by " << n << " by " << k << ", row " << i;
                    std::fill(row, row + n * out_size, char{85});
                }
                ASSERT_TRUE(unchanged(out, 0)) << "between rows of " << n << " by " << k;

                char *best = place(out_memory, n * out_size);
                kernel().reduce({MatmulReduction::min, a, static_cast<std::ptrdiff_t>(a_row),
                                 static_cast<std::ptrdiff_t>(a_k), packed_b, m, n, k, best, false});
                ASSERT_TRUE(unchanged(best, n * out_size)) << m << " by " << n << " by " << k;
                ASSERT_EQ(std::vector<char>(best, best + n * out_size),
                          reduced(MatmulReduction::min, plain_a, plain_packed, m, n, k).bytes);
            }
        }
    }
}

TEST_P(Products, may_share_a_row) {
    const Row a = random(20);
    const Row b = random(20 * 3);
    const Row packed_b = packed(b, 20, 3);
    Row out = make_row(kernel().out(), 5 * 3);
    kernel().function({a.bytes.data(), 0, 1, packed_b.bytes.data(), 5, 3, 20, nullptr, out.bytes.data(), 3});
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(part(out, 3 * i, 3).bytes, product(a, packed_b, 1, 3, 20).bytes);
    }
}

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

TEST_P(Products, follow_the_rules_for_infinities_and_nan) {
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

TEST(MatmulKernels, exist_for_all_types_but_bfloat16) {
    for (Isa isa : {Isa{}, allowed_isa(), detected_isa()}) {
        for (CellType type : {CellType::i8, CellType::f32, CellType::f64}) {
            const MatmulKernel *kernel = choose_matmul(type, 100, 64, isa);
            ASSERT_NE(kernel, nullptr);
            EXPECT_EQ(kernel->type, type);
            EXPECT_EQ(matmul_candidates(type, 100, 64, isa).front().kernel, kernel);
        }
    }
    EXPECT_EQ(choose_matmul(CellType::bf16, 100, 64, Isa{}), nullptr);
    EXPECT_EQ(choose_matmul(CellType::bf16, 100, 64, *isa_level("avx512")), nullptr);
}

#if defined(__x86_64__)
TEST(MatmulKernels, are_for_stored_cells_where_that_is_cheaper) {
    const auto chosen = [](MatmulCells cells, std::size_t k, std::size_t n, Isa isa) {
        const MatmulKernel *kernel = choose_matmul(cells, k, n, isa);
        const auto candidates = matmul_candidates(cells, k, n, isa);
        EXPECT_EQ(candidates.front().kernel, kernel);
        EXPECT_EQ(candidates.front().cost, matmul_cost(*kernel, cells, k, n, isa));
        for (const Candidate<MatmulKernel> &candidate : candidates) {
            EXPECT_TRUE(candidate.kernel->type == cells.widened || candidate.kernel->type == cells.stored);
        }
        return full_name(*kernel);
    };
    const MatmulCells halves(CellType::f32, CellType::bf16);
    const MatmulCells bytes(CellType::f32, CellType::i8);
    const Isa everything = *isa_level("native");
    const Isa without_tiles = target_isa(Target::avx512bf16) | target_isa(Target::avx512vnni);
    EXPECT_EQ(chosen(halves, 768, 768, everything), "amx::matmul_bf16");
    EXPECT_EQ(chosen(halves, 768, 768, without_tiles), "avx512bf16::matmul_bf16");
    EXPECT_EQ(chosen(halves, 768, 768, *isa_level("avx512")), "avx512::matmul_f32");
    EXPECT_EQ(chosen(halves, 768, 768, *isa_level("avx2")), "avx2::matmul_f32");
    EXPECT_EQ(chosen(halves, 768, 768, Isa{}), "baseline::matmul_f32");
    EXPECT_EQ(chosen(bytes, 768, 768, everything), "amx::matmul_i8");
    EXPECT_EQ(chosen(bytes, 768, 768, without_tiles), "avx512vnni::matmul_i8");
    EXPECT_EQ(chosen(bytes, 768, 768, *isa_level("avx2")), "avx2::matmul_i8");
    EXPECT_EQ(chosen({CellType::f64, CellType::i8}, 2000, 100, Isa{}), "baseline::matmul_i8");
    // What is small is not worth setting up tiles, nor what would leave most of them empty.
    EXPECT_EQ(chosen(halves, 16, 16, everything), "avx512::matmul_f32");
    EXPECT_EQ(chosen(bytes, 16, 16, everything), "avx512::matmul_f32");
    EXPECT_EQ(chosen(bytes, 1, 3000, everything), "avx512::matmul_f32");
    EXPECT_EQ(chosen(CellType::f32, 768, 768, everything), "avx512::matmul_f32");
}
#endif

TEST(MatmulKernels, take_the_widest_vectors) {
    EXPECT_EQ(choose_matmul(CellType::f32, 100, 64, Isa{})->target, Target::baseline);
#if defined(__x86_64__)
    EXPECT_EQ(choose_matmul(CellType::f32, 100, 64, *isa_level("avx2"))->target, Target::avx2);
    EXPECT_EQ(choose_matmul(CellType::f64, 7, 14, *isa_level("avx512"))->target, Target::avx512);
#endif
}

TEST(MatmulKernels, know_how_much_they_pack) {
    const MatmulKernel &kernel = *choose_matmul(CellType::f32, 3, 5, Isa{});
    ASSERT_EQ(kernel.column_tile, 4U);
    EXPECT_EQ(packed_cells(kernel, 3, 1), 12U);
    EXPECT_EQ(packed_cells(kernel, 3, 4), 12U);
    EXPECT_EQ(packed_cells(kernel, 3, 5), 24U);
    EXPECT_EQ(packed_cells(*choose_matmul(CellType::i8, 3, 5, Isa{}), 3, 5), 8 * (2 + 1) * 4U);
}

}  // namespace
}  // namespace tenrex::kernels
