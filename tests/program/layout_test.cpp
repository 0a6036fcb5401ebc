// Copies between layouts against one cell after the other.
#include "lib/program/layout.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::program {
namespace {

std::vector<std::byte> numbered(std::size_t bytes) {
    std::vector<std::byte> result(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        result[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    return result;
}

class CopyNestTest : public testing::TestWithParam<std::size_t> {};

TEST_P(CopyNestTest, RowsBecomeColumns) {
    const std::size_t width = GetParam();
    for (const std::size_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 33}) {
        for (const std::size_t columns : {1, 2, 3, 4, 6, 8, 11, 15, 16, 18, 35}) {
            CopyNest nest(width, kernels::allowed_isa());
            nest.add(rows, static_cast<std::ptrdiff_t>(columns), 1);
            nest.add(columns, 1, static_cast<std::ptrdiff_t>(rows));
            const std::vector<std::byte> from = numbered(rows * columns * width);
            std::vector<std::byte> to(from.size());
            nest.run(to.data(), from.data());
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t j = 0; j < columns; ++j) {
                    EXPECT_TRUE(std::equal(to.begin() + static_cast<std::ptrdiff_t>((i * columns + j) * width),
                                           to.begin() + static_cast<std::ptrdiff_t>((i * columns + j + 1) * width),
                                           from.begin() + static_cast<std::ptrdiff_t>((j * rows + i) * width)))
                        << rows << " by " << columns << ", cell " << i << "," << j;
                }
            }
        }
    }
}

// [i][b][j] becomes [j][b][i], and [b][j][i]; the loops come in the order of what is read or of what is written.
TEST_P(CopyNestTest, MatricesWithinOtherLoops) {
    const std::size_t width = GetParam();
    constexpr std::ptrdiff_t i_size = 17, b_size = 3, j_size = 19;
    struct Loop {
        std::size_t size;
        std::ptrdiff_t to, from;
    };
    for (const bool middle : {false, true}) {
        const Loop i{i_size, 1, b_size * j_size};
        const Loop b{b_size, middle ? i_size : j_size * i_size, j_size};
        const Loop j{j_size, middle ? b_size * i_size : i_size, 1};
        for (const auto &loops : {std::vector{i, b, j}, std::vector{j, b, i}, std::vector{b, j, i}}) {
            CopyNest nest(width, kernels::allowed_isa());
            for (const Loop &loop : loops) {
                nest.add(loop.size, loop.to, loop.from);
            }
            const std::vector<std::byte> from = numbered(i.size * b.size * j.size * width);
            std::vector<std::byte> to(from.size()), expected(from.size());
            nest.run(to.data(), from.data());
            for (std::ptrdiff_t cell = 0; cell < i_size * b_size * j_size; ++cell) {
                const std::ptrdiff_t x = cell / (b_size * j_size), y = cell / j_size % b_size, z = cell % j_size;
                std::copy_n(from.begin() + cell * static_cast<std::ptrdiff_t>(width), width,
                            expected.begin() + (x * i.to + y * b.to + z * j.to) * static_cast<std::ptrdiff_t>(width));
            }
            EXPECT_EQ(to, expected);
        }
    }
}

TEST_P(CopyNestTest, OnlyPartOfAMatrixIsWritten) {
    // Four columns of eight rows, every row of the result two cells longer.
    const std::size_t width = GetParam();
    CopyNest nest(width, kernels::allowed_isa());
    nest.add(8, 6, 1);
    nest.add(4, 1, 10);
    const std::vector<std::byte> from = numbered(40 * width);
    std::vector<std::byte> to(48 * width, std::byte{0x5a});
    nest.run(to.data(), from.data());
    for (std::size_t row = 0; row < 8; ++row) {
        for (std::size_t byte = 0; byte < 2 * width; ++byte) {
            EXPECT_EQ(to[(row * 6 + 4) * width + byte], std::byte{0x5a});
        }
        EXPECT_EQ(to[(row * 6 + 3) * width], from[(3 * 10 + row) * width]);
    }
}

// Nothing is written beside them, whatever their length, which says how they are copied.
TEST_P(CopyNestTest, RowsOfAnyLength) {
    const std::size_t width = GetParam();
    constexpr std::size_t rows = 3;
    for (std::size_t cells = 2; cells * width <= 300; ++cells) {
        CopyNest nest(width, kernels::allowed_isa());
        nest.add(rows, static_cast<std::ptrdiff_t>(cells + 1), static_cast<std::ptrdiff_t>(cells + 2));
        nest.add(cells, 1, 1);
        const std::vector<std::byte> from = numbered(rows * (cells + 2) * width);
        std::vector<std::byte> to(rows * (cells + 1) * width, std::byte{0x5a}), expected = to;
        nest.run(to.data(), from.data());
        for (std::size_t row = 0; row < rows; ++row) {
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * (cells + 2) * width), cells * width,
                        expected.begin() + static_cast<std::ptrdiff_t>(row * (cells + 1) * width));
        }
        ASSERT_EQ(to, expected) << cells << " cells";
    }
}

TEST_P(CopyNestTest, SingleCellsOfSeveralBlocks) {
    const std::size_t width = GetParam();
    const auto step = static_cast<std::ptrdiff_t>(width);
    const std::vector<std::byte> from = numbered(5 * width);
    std::vector<std::byte> to(15 * width, std::byte{0x5a});
    EXPECT_TRUE(CopyNest(width, kernels::allowed_isa()).run_single(to.data() + width, 3 * step, from.data(), step, 5));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_TRUE(std::equal(from.begin() + static_cast<std::ptrdiff_t>(i) * step,
                               from.begin() + static_cast<std::ptrdiff_t>(i + 1) * step,
                               to.begin() + static_cast<std::ptrdiff_t>(3 * i + 1) * step));
        EXPECT_EQ(to[3 * i * width], std::byte{0x5a});
        EXPECT_EQ(to[(3 * i + 2) * width], std::byte{0x5a});
    }
    CopyNest two(width, kernels::allowed_isa());
    two.add(2, 1, 1);
    EXPECT_FALSE(two.run_single(to.data(), 3 * step, from.data(), 2 * step, 2));
}

INSTANTIATE_TEST_SUITE_P(CellBytes, CopyNestTest, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace tenrex::program
