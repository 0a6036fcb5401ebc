// Kernels whose rows become columns against one cell after the other, for every target, at any place and stride;
// nothing beside the cells is read or written.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "lib/kernels/tile/tile_kernels.h"

namespace tenrex::kernels {
namespace {

// A matrix whose rows are `stride` bytes apart, with nothing behind its last cell.
class Matrix {
public:
    Matrix(std::size_t rows, std::size_t columns, std::size_t width, std::size_t gap)
        : stride_(columns * width + gap), width_(width), bytes_(rows * stride_ - gap) {}

    std::vector<std::byte> &bytes() { return bytes_; }
    std::ptrdiff_t stride() const { return static_cast<std::ptrdiff_t>(stride_); }
    std::byte *cell(std::size_t row, std::size_t column) { return bytes_.data() + row * stride_ + column * width_; }

private:
    std::size_t stride_, width_;
    std::vector<std::byte> bytes_;
};

void expect_transposed(TransposeFunction *function, std::size_t rows, std::size_t columns, std::size_t width,
                       std::size_t gap) {
    Matrix from(rows, columns, width, gap);
    for (std::size_t i = 0; i < from.bytes().size(); ++i) {
        from.bytes()[i] = static_cast<std::byte>(i * 7 + i / 256 * 11);
    }
    Matrix to(columns, rows, width, 2 * gap);
    Matrix expected = to;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            std::memcpy(expected.cell(j, i), from.cell(i, j), width);
        }
    }
    function({to.cell(0, 0), to.stride(), from.cell(0, 0), from.stride(), rows, columns});
    EXPECT_EQ(to.bytes(), expected.bytes()) << rows << " by " << columns << ", gap " << gap;
}

TEST(TransposeKernels, EveryTargetMovesEachCell) {
    std::size_t targets = 0;
    for (const TileTarget &target : tile_targets()) {
        if (!detected_isa().contains(target_isa(target.target))) {
            continue;
        }
        ++targets;
        SCOPED_TRACE(name(target.target));
        for (const std::size_t width : {1, 2, 4, 8}) {
            SCOPED_TRACE(width);
            for (const std::size_t rows : {1, 2, 4, 7, 8, 15, 16, 17, 31, 33, 64, 67, 129}) {
                for (const std::size_t columns : {1, 2, 3, 4, 5, 8, 16, 19, 32, 65}) {
                    expect_transposed(target.transpose(width), rows, columns, width, 0);
                    expect_transposed(target.transpose(width), rows, columns, width, 5);
                }
            }
        }
    }
    EXPECT_GE(targets, 1u);
}

}  // namespace
}  // namespace tenrex::kernels
