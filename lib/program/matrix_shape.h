// Where matrices stand among cells.
#pragma once

#include <compare>
#include <cstddef>

namespace tenrex::program {

// A stack of `batch` matrices of k rows and n columns within a block, strides in cells.
struct MatrixShape {
    std::size_t batch = 1;
    std::size_t k = 1, n = 1;
    std::ptrdiff_t batch_stride = 0, k_stride = 0, n_stride = 0;

    friend auto operator<=>(const MatrixShape &, const MatrixShape &) = default;
};

}  // namespace tenrex::program
