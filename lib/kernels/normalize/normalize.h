// What kernels that normalize rows take: softmax, and rows divided by their length or deviation.
#pragma once

#include <cstddef>

namespace tenrex::kernels {

// For each of `rows` rows: row i of `out` from row i of `cells`, both with `length` cells of one type, at least one.
// The rows of `out` follow each other. Strides are in bytes and may be anything; nothing needs to be aligned; `out`
// overlaps nothing.
struct RowNormalization {
    const void *cells = nullptr;
    std::ptrdiff_t stride = 0;
    void *out = nullptr;
    std::size_t rows = 0;
    std::size_t length = 0;
    // A softmax: cells are multiplied by it first.
    double scale = 1;
    // The others: the sum of squares is divided by the first, the second is added, and the third to the root of that.
    // These numbers are rounded to the cell type one by one, or once in the end.
    double divisor = 1;
    double epsilon = 0;
    double root_epsilon = 0;
    bool rounds_sums = false;
    // The others: rows that the result is multiplied by, and that are added to that. Null: there are none.
    const void *gain = nullptr;
    std::ptrdiff_t gain_stride = 0;
    const void *bias = nullptr;
    std::ptrdiff_t bias_stride = 0;
};

using RowNormalizationFunction = void(const RowNormalization &) noexcept;

}  // namespace tenrex::kernels
