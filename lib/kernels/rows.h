// What kernels that reduce rows to one number take: sum, product, maximum, minimum.
#pragma once

#include <cstddef>

namespace tenrex::kernels {

// For each of `rows` rows: out[i] = the result for row i of `cells`, which has `length` cells, at least one. The stride
// is in bytes and may be anything; the cells need not be aligned, `out` must be.
struct Rows {
    const void *cells = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    std::size_t rows = 0;
    std::size_t length = 0;
    double *out = nullptr;
};

using RowsFunction = void(const Rows &) noexcept;

}  // namespace tenrex::kernels
