// Copies between layouts against one cell after the other.
#include "lib/plan/layout.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::plan {
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
    for (std::size_t rows = 1; rows <= 13; ++rows) {
        for (std::size_t columns = 1; columns <= 13; ++columns) {
            CopyNest nest(width);
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

TEST_P(CopyNestTest, OnlyPartOfAMatrixIsWritten) {
    // Four columns of eight rows, every row of the result two cells longer.
    const std::size_t width = GetParam();
    CopyNest nest(width);
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

TEST_P(CopyNestTest, SingleCellsOfSeveralBlocks) {
    const std::size_t width = GetParam();
    const auto step = static_cast<std::ptrdiff_t>(width);
    const std::vector<std::byte> from = numbered(5 * width);
    std::vector<std::byte> to(15 * width, std::byte{0x5a});
    EXPECT_TRUE(CopyNest(width).run_single(to.data() + width, 3 * step, from.data(), step, 5));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_TRUE(std::equal(from.begin() + static_cast<std::ptrdiff_t>(i) * step,
                               from.begin() + static_cast<std::ptrdiff_t>(i + 1) * step,
                               to.begin() + static_cast<std::ptrdiff_t>(3 * i + 1) * step));
        EXPECT_EQ(to[3 * i * width], std::byte{0x5a});
        EXPECT_EQ(to[(3 * i + 2) * width], std::byte{0x5a});
    }
    CopyNest two(width);
    two.add(2, 1, 1);
    EXPECT_FALSE(two.run_single(to.data(), 3 * step, from.data(), 2 * step, 2));
}

INSTANTIATE_TEST_SUITE_P(CellBytes, CopyNestTest, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace tenrex::plan
