// What kernels that rewrite rows take: conversions between cell types, roundings, unpacking of bits.
#pragma once

#include <cstddef>

namespace tenrex::kernels {

// For each of `rows` rows: write row i of `out` from row i of `in`, which has `length` cells. Strides are in bytes and
// may be anything; nothing needs to be aligned; the operands must not overlap.
struct RowConversion {
    const void *in = nullptr;
    std::ptrdiff_t in_stride = 0;
    void *out = nullptr;
    std::ptrdiff_t out_stride = 0;
    std::size_t rows = 0;
    std::size_t length = 0;
    // Floats of each row, side by side, for a rounding to whole numbers.
    const void *middle = nullptr;
    const void *factor = nullptr;
};

using RowConversionFunction = void(const RowConversion &);

}  // namespace tenrex::kernels
