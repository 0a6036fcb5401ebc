// Products with matrices that have blocks of zeros: the bits are those of the product of all blocks.
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lib/kernels/matmul/zero_blocks.h"
#include "tests/conformance/few_cases.h"
#include "tests/kernels/matmul_products.h"

namespace tenrex::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t block = MatmulBlocks::rows_of_block;

// Kernels that leave nothing out have no maps.
class Blocks : public Products {
protected:
    void SetUp() override {
        Products::SetUp();
        if (kernel().panel == 0) {
            EXPECT_EQ(block_map_bytes(kernel(), 100, 100), 0U);
            GTEST_SKIP() << "it multiplies all blocks";
        }
    }

    // b without about that share of its blocks.
    static Row pruned(Row b, std::size_t k, std::size_t n, double share, double zero = 0) {
        std::mt19937 engine(static_cast<unsigned>(k * n));
        for (std::size_t top = 0; top < k; top += block) {
            for (std::size_t left = 0; left < n; left += kernel().panel) {
                if (std::uniform_real_distribution<double>(0, 1)(engine) < share) {
                    for (std::size_t i = top; i < std::min(k, top + block); ++i) {
                        for (std::size_t j = left; j < std::min(n, left + kernel().panel); ++j) {
                            b.set(i * n + j, (i + j) % 3 == 0 ? zero : 0);
                        }
                    }
                }
            }
        }
        return b;
    }

    static std::vector<std::uint64_t> map_of(const Row &packed_b, std::size_t k, std::size_t n) {
        std::vector<std::uint64_t> map(block_map_bytes(kernel(), k, n) / sizeof(std::uint64_t));
        map_blocks(kernel(), packed_b.bytes.data(), k, n, map.data());
        return map;
    }

    // Blocks that are left out however few there are.
    static MatmulBlocks blocks_in(const std::vector<std::uint64_t> &map, std::size_t k, std::size_t n) {
        MatmulBlocks blocks = blocks_of(kernel(), map.data(), k, n);
        blocks.share = 1;
        return blocks;
    }

    static Row product_without(const MatmulBlocks &blocks, const Row &a, const Row &packed_b, std::size_t m,
                               std::size_t n, std::size_t k, const Row *bias = nullptr,
                               MatmulActivation activation = MatmulActivation::none) {
        Row out = make_row(kernel().out(), m * n);
        kernel().function({a.bytes.data(), static_cast<std::ptrdiff_t>(k), 1, packed_b.bytes.data(), m, n, k,
                           bias == nullptr ? nullptr : bias->bytes.data(), out.bytes.data(),
                           static_cast<std::ptrdiff_t>(n), activation, 0, nullptr, &blocks});
        return out;
    }

    // Of all cells without and with blocks left out.
    static void expect_same_bits(const Row &a, const Row &b, std::size_t m, std::size_t n, std::size_t k,
                                 const Row *bias = nullptr) {
        const Row packed_b = packed(b, k, n);
        const std::vector<std::uint64_t> map = map_of(packed_b, k, n);
        for (const auto activation : {MatmulActivation::none, MatmulActivation::relu, MatmulActivation::gelu}) {
            if (activation == MatmulActivation::gelu && kernel().out() != CellType::f32) {
                continue;
            }
            ASSERT_EQ(product_without(blocks_in(map, k, n), a, packed_b, m, n, k, bias, activation).bytes,
                      product(a, packed_b, m, n, k, bias, activation).bytes)
                << m << " by " << n << " by " << k;
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Kernels, Blocks, testing::ValuesIn(all_kernels()), test_name);

TEST_P(Blocks, of_zeros_are_found) {
    const std::size_t panel = kernel().panel;
    const std::size_t k = 2 * block + 3;  // the last block has three rows
    const std::size_t n = panel + 1;      // the last panel one column
    for (std::size_t zeros = 0; zeros < 64; ++zeros) {
        Row b = make_row(kernel().type, k * n);
        double share = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 2; ++j) {
                if ((zeros >> (2 * i + j) & 1) == 0) {
                    // One cell that is not zero, the last of the block.
                    b.set((std::min(k, (i + 1) * block) - 1) * n + std::min(n, (j + 1) * panel) - 1, -1);
                } else {
                    share += static_cast<double>((i < 2 ? block : 3) * (j == 0 ? panel : 1));
                }
            }
        }
        share /= static_cast<double>(k * n);
        const auto map = map_of(packed(b, k, n), k, n);
        EXPECT_EQ(share_of_zeros(map.data()), share < MatmulBlocks::least_share(1000) ? 0 : share) << zeros;
        EXPECT_EQ(blocks_of(kernel(), map.data(), k, n).first != nullptr, share_of_zeros(map.data()) != 0);
    }
}

TEST_P(Blocks, are_not_multiplied) {
    const std::size_t k = 300;
    const std::size_t n = 5 * kernel().panel + 3;
    const Row b = random(k * n);
    const Row zeros = pruned(b, k, n, 0.5);
    const Row packed_zeros = packed(zeros, k, n);
    const Row packed_b = packed(b, k, n);
    const auto map = map_of(packed_zeros, k, n);
    for (const std::size_t m : {std::size_t{1}, std::size_t{2}, std::size_t{9}, std::size_t{64}, std::size_t{150}}) {
        const Row a = random(m * k);
        // What stands in the blocks that are said to be zeros is not looked at.
        EXPECT_EQ(product_without(blocks_in(map, k, n), a, packed_b, m, n, k).bytes,
                  product(a, packed_zeros, m, n, k).bytes)
            << m;
        EXPECT_NE(product(a, packed_b, m, n, k).bytes, product(a, packed_zeros, m, n, k).bytes);
        // Where they are too few for so many rows, all are multiplied.
        MatmulBlocks few = blocks_in(map, k, n);
        few.share = MatmulBlocks::least_share(m) - 0.01;
        EXPECT_EQ(product_without(few, a, packed_b, m, n, k).bytes, product(a, packed_b, m, n, k).bytes) << m;
    }
}

TEST_P(Blocks, that_are_left_out_change_no_bit) {
    const std::size_t panel = kernel().panel;
    const std::vector<std::size_t> depths =
        few_cases() ? std::vector<std::size_t>{17, 259} : std::vector<std::size_t>{1, 16, 17, 250, 256, 259, 777, 2100};
    for (const std::size_t k : depths) {
        for (const std::size_t n : {std::size_t{1}, panel - 1, panel, 2 * panel + 1, 5 * panel, 9 * panel + 3}) {
            for (const double share : {0.2, 0.5, 0.9, 1.0}) {
                const Row b = pruned(random(k * n), k, n, share, exact() ? 0 : -0.0);
                const Row bias = random(kernel().out(), n);
                for (const std::size_t m : {1, 2, 5, 14, 33, 67, 150}) {
                    if (m > 33 && n > 2 * panel + 1 && k > 300) {
                        continue;
                    }
                    const Row a = random(m * k);
                    expect_same_bits(a, b, m, n, k);
                    expect_same_bits(a, b, m, n, k, &bias);
                }
            }
        }
    }
}

TEST_P(Blocks, of_some_columns_are_those_of_all) {
    const std::size_t apart = columns_apart(kernel());
    const std::size_t k = 100, n = 3 * apart + 5, m = 40;
    const Row a = random(m * k);
    const Row packed_b = packed(pruned(random(k * n), k, n, 0.6), k, n);
    const Row all = product(a, packed_b, m, n, k);
    const auto map = map_of(packed_b, k, n);
    Row parts = make_row(kernel().out(), m * n);
    for (const auto &[left, columns] : {std::pair(std::size_t{0}, apart), {apart, apart}, {2 * apart, n - 2 * apart}}) {
        Matmul call{a.bytes.data(),
                    static_cast<std::ptrdiff_t>(k),
                    1,
                    packed_b.bytes.data() + packed_cells(kernel(), k, left) * cell_size(),
                    m,
                    columns,
                    k,
                    nullptr,
                    parts.bytes.data() + left * byte_size(kernel().out()),
                    static_cast<std::ptrdiff_t>(n)};
        const MatmulBlocks blocks = after_columns(kernel(), blocks_in(map, k, n), k, left);
        call.blocks = &blocks;
        kernel().function(call);
    }
    EXPECT_EQ(parts.bytes, all.bytes);
}

TEST_P(Blocks, times_numbers_that_are_not_finite_are_multiplied) {
    if (exact()) {
        return;
    }
    const std::size_t k = 300, n = 2 * kernel().panel + 1, m = 150;
    const Row b = pruned(random(k * n), k, n, 0.7);
    for (const double number : {infinity, -infinity, std::nan("")}) {
        Row a = random(m * k);
        for (const std::size_t row : {std::size_t{0}, std::size_t{77}, m - 1}) {
            a.set(row * k + (row * 31 + 5) % k, number);
        }
        expect_same_bits(a, b, m, n, k);
        for (const std::size_t row : {std::size_t{0}, std::size_t{77}, std::size_t{78}}) {
            expect_same_bits(part(a, row * k, k), b, 1, n, k);
        }
    }
    // A row whose product with the blocks that count is a number.
    Row a = make_row(kernel().type, k);
    a.set(3, infinity);
    const Row packed_b = packed(pruned(random(k * n), k, n, 1), k, n);
    const auto map = map_of(packed_b, k, n);
    const Row out = product_without(blocks_in(map, k, n), a, packed_b, 1, n, k);
    for (std::size_t j = 0; j < n; ++j) {
        EXPECT_TRUE(std::isnan(out[j])) << j;
    }
}

// A product that is rounded to -0 leaves a sum of -0, which becomes 0 with the next zero of another sign.
TEST_P(Blocks, keep_the_signs_of_zeros) {
    if (exact()) {
        return;
    }
    const double tiny = kernel().type == CellType::f64 ? 0x1p-700 : 0x1p-100;
    const std::size_t k = 4 * block, n = kernel().panel + 1;
    for (const double factor : {-tiny, tiny, -0x1p-10, -0.0, 0.0}) {
        for (const double weight : {tiny, -tiny, 1.0}) {
            Row b = make_row(kernel().type, k * n);
            for (std::size_t j = 0; j < n; ++j) {
                b.set(j, weight);
            }
            for (const std::size_t m : {1, 70}) {
                Row a = make_row(kernel().type, m * k);
                for (std::size_t i = 0; i < m * k; ++i) {
                    a.set(i, i % k == 0 ? factor : i % (k + 1) < 40 ? 1 : -1);
                }
                expect_same_bits(a, b, m, n, k);
                Row bias = make_row(kernel().out(), n);
                for (std::size_t j = 0; j < n; ++j) {
                    bias.set(j, j % 2 == 0 ? -0.0 : 0.0);
                }
                expect_same_bits(a, b, m, n, k, &bias);
            }
        }
    }
    // Numbers of all magnitudes.
    std::mt19937 engine(3);
    const auto any = [&](std::size_t cells) {
        Row row = make_row(kernel().type, cells);
        for (std::size_t i = 0; i < cells; ++i) {
            row.set(i, std::ldexp(std::uniform_real_distribution<double>(-1, 1)(engine),
                                  std::uniform_int_distribution<int>(kernel().type == CellType::f64 ? -1070 : -145,
                                                                     0)(engine)));
        }
        return row;
    };
    for (const std::size_t m : {1, 64}) {
        expect_same_bits(any(m * k), pruned(any(k * n), k, n, 0.6), m, n, k);
        expect_same_bits(any(m * k), pruned(random(k * n), k, n, 0.6), m, n, k);
        expect_same_bits(random(m * k), pruned(any(k * n), k, n, 0.6), m, n, k);
    }
}

// Operands whose rows are columns of what is stored.
TEST_P(Blocks, may_meet_any_strides) {
    const std::size_t k = 290, n = 3 * kernel().panel, m = 60;
    const Row a = random(m * k);
    Row turned = make_row(kernel().type, m * k);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t l = 0; l < k; ++l) {
            turned.set(l * m + i, a[i * k + l]);
        }
    }
    const Row packed_b = packed(pruned(random(k * n), k, n, 0.6), k, n);
    const auto map = map_of(packed_b, k, n);
    Row out = make_row(kernel().out(), m * n);
    Matmul call{turned.bytes.data(),
                1,
                static_cast<std::ptrdiff_t>(m),
                packed_b.bytes.data(),
                m,
                n,
                k,
                nullptr,
                out.bytes.data(),
                static_cast<std::ptrdiff_t>(n)};
    const MatmulBlocks blocks = blocks_in(map, k, n);
    call.blocks = &blocks;
    kernel().function(call);
    EXPECT_EQ(out.bytes, product(a, packed_b, m, n, k).bytes);
}

}  // namespace
}  // namespace tenrex::kernels
