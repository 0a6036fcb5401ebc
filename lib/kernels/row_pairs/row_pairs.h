// What kernels over pairs of rows take: dot products, distances.
#pragma once

#include <cstddef>

namespace tenrex::kernels {

// For each of `rows` rows: combine row i of `a` with row i of `b`, both of `length` cells, into out[i]. Strides are in
// bytes and may be anything, also 0 for an operand that all rows share. Nothing needs to be aligned except `out`.
struct RowPairs {
    const void *a = nullptr;
    std::ptrdiff_t a_stride = 0;
    const void *b = nullptr;
    std::ptrdiff_t b_stride = 0;
    std::size_t rows = 0;
    std::size_t length = 0;
    void *out = nullptr;
};

using RowPairFunction = void(const RowPairs &);

}  // namespace tenrex::kernels
