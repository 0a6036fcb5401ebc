#include "lib/kernels/matmul/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/conformance/few_cases.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/matmul_products.h"

namespace tenrex::kernels {
namespace {

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

// What threads that share a product rely on.
TEST_P(Products, of_some_columns_or_rows_have_the_bits_of_all) {
    const std::size_t apart = columns_apart(kernel());
    for (const std::size_t k : {3, 258, 2051}) {
        // Rows that are deep are rewritten in chunks, for several panels at a time.
        const std::size_t n = (k > 1000 ? 9 : 3) * apart + 5;
        for (const std::size_t m : {1, 2, 40}) {
            const Row a = random(m * k);
            const Row packed_b = packed(random(k * n), k, n);
            const Row bias = random(kernel().out(), n);
            const Row all = product(a, packed_b, m, n, k, &bias, MatmulActivation::relu);
            Row parts = make_row(kernel().out(), m * n);
            for (const auto &[left, columns] : {std::pair(std::size_t{0}, apart), {apart, n - apart}}) {
                for (const auto &[top, rows] : {std::pair(std::size_t{0}, m / 3), {m / 3, m - m / 3}}) {
                    kernel().function({a.bytes.data() + top * k * cell_size(), static_cast<std::ptrdiff_t>(k), 1,
                                       packed_b.bytes.data() + packed_cells(kernel(), k, left) * cell_size(), rows,
                                       columns, k, bias.bytes.data() + left * byte_size(kernel().out()),
                                       parts.bytes.data() + (top * n + left) * byte_size(kernel().out()),
                                       static_cast<std::ptrdiff_t>(n), MatmulActivation::relu});
                }
            }
            EXPECT_EQ(parts.bytes, all.bytes) << m << " by " << n << " by " << k;
        }
    }
}

// Whole numbers, whose products are exact, so that any wrong cell shows.
TEST_P(Products, are_those_of_the_definition_for_all_shapes) {
    const std::size_t tile = kernel().column_tile;
    std::vector<std::size_t> widths = {2, 3};
    for (const std::size_t tiles : {1, 2, 3, 4, 5, 7, 9}) {
        widths.insert(widths.end(), {tiles * tile - 1, tiles * tile, tiles * tile + 1});
    }
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
    const std::vector<std::size_t> depths = few_cases() ? std::vector<std::size_t>{7, 300}
                                                        // With 1024, rows begin in the same set of a cache.
                                                        : std::vector<std::size_t>{7, 300, 1000, 1024, 3072};
    for (const std::size_t k : depths) {
        const std::size_t m = 150;
        const std::size_t n = std::max<std::size_t>(9 * tile + 2, 70);
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
    for (std::size_t m : {1, 2, 3, 5, 13, 14, 15, 29, 32}) {
        for (std::size_t n :
             {std::size_t{1}, std::size_t{3}, tile - 1, tile, tile + 1, 2 * tile + 3, 5 * tile, 8 * tile}) {
            for (std::size_t k : {1, 2, 9, 128, 300}) {
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

TEST_P(Products, are_the_same_where_b_stays_as_it_is) {
    if (kernel().k_tile != 1) {
        return;  // cells are packed in pairs or more
    }
    const std::size_t tile = kernel().column_tile;
    const std::size_t size = cell_size();
    const GuardedMemory memory(300 * (11 * tile + 3) * size);
    for (const std::size_t m : {1, 2, 3, 14, 31}) {
        for (const std::size_t n : {tile, 2 * tile, 3 * tile, 11 * tile}) {
            for (const std::size_t k : {1, 20, 300}) {
                const std::size_t b_row = n + k % 3;
                const Row a = random(m * k);
                const Row plain_b = random(k * n);
                const std::size_t extent = ((k - 1) * b_row + n) * size;
                char *const b = memory.back(extent);
                for (std::size_t l = 0; l < k; ++l) {
                    std::copy_n(plain_b.bytes.data() + l * n * size, n * size, b + l * b_row * size);
                }
                const Row bias = random(kernel().out(), n);
                Row out = make_row(kernel().out(), m * n);
                Matmul call{a.bytes.data(),   static_cast<std::ptrdiff_t>(k), 1, b, m, n, k, bias.bytes.data(),
                            out.bytes.data(), static_cast<std::ptrdiff_t>(n)};
                call.b_row = static_cast<std::ptrdiff_t>(b_row);
                kernel().function(call);
                ASSERT_EQ(out.bytes, product(a, packed(plain_b, k, n), m, n, k, &bias).bytes)
                    << m << " by " << n << " by " << k;
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
#elif defined(__aarch64__)
    const MatmulCells bytes(CellType::f32, CellType::i8);
    EXPECT_EQ(choose_matmul(bytes, 768, 768, target_isa(Target::neondotprod))->target, Target::neondotprod);
    EXPECT_EQ(choose_matmul(bytes, 768, 768, Isa{})->target, Target::baseline);
#endif
}

TEST(MatmulKernels, know_how_much_they_pack) {
    const MatmulKernel &kernel = *choose_matmul(CellType::f32, 3, 5, Isa{});
    ASSERT_EQ(kernel.column_tile, 4U);
    EXPECT_EQ(packed_cells(kernel, 3, 1), 12U);
    EXPECT_EQ(packed_cells(kernel, 3, 4), 12U);
    EXPECT_EQ(packed_cells(kernel, 3, 5), 24U);
    EXPECT_EQ(packed_cells(*choose_matmul(CellType::i8, 3, 5, Isa{}), 3, 5), 8 * (2 + 1) * 4U);
#if defined(__x86_64__)
    // Bytes as such in fours, or as many as fill tiles; pairs, with a word for each column.
    const auto packed_by = [](CellType type, Target target) {
        return packed_cells(*choose_matmul(type, 768, 768, target_isa(target)), 3, 5);
    };
    EXPECT_EQ(packed_by(CellType::i8, Target::avx512vnni), 16 * (1 + 1) * 4U);
    EXPECT_EQ(packed_by(CellType::i8, Target::amx), 16 * (16 + 1) * 4U);
    EXPECT_EQ(packed_by(CellType::bf16, Target::avx512bf16), 16 * (2 + 1) * 2U);
    EXPECT_EQ(packed_by(CellType::bf16, Target::amx), 16 * (16 + 1) * 2U);
#endif
}

}  // namespace
}  // namespace tenrex::kernels
