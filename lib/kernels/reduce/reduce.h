// What kernels take that reduce rows to one number each, or to one row: sum, product, maximum, minimum, sums with
// weights, and of rows the median.
#pragma once

#include <cstddef>
#include <cstdint>

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

// Combines totals[i] with cell i of each of `rows` rows, from the first to the last. Totals are floats for the extremes
// of cells narrower than double and for sums in float, else doubles. They begin with what changes nothing: 0 for a sum,
// 1 for a product, NaN for an extreme. Nothing needs to be aligned; the totals overlap nothing else.
struct Columns {
    const void *cells = nullptr;
    std::ptrdiff_t stride_bytes = 0;  // of the rows; any
    std::size_t rows = 0;
    std::size_t columns = 0;
    void *totals = nullptr;
};

using ColumnsFunction = void(const Columns &) noexcept;

// out[i] = the sum, over `rows` pairs of a row and a weight, of cell i of the row times the weight: added in double,
// from the first pair to the last, and rounded once. All are of the kernel's cell type; row r begins at cell r *
// columns. Over no rows the sums are 0. Nothing needs to be aligned; `out` overlaps nothing else.
struct WeightedRows {
    const void *cells = nullptr;
    const std::uint32_t *row_of = nullptr;  // by pair
    const void *weights = nullptr;
    const std::uint32_t *weight_of = nullptr;  // by pair
    std::size_t rows = 0;
    std::size_t columns = 0;
    void *out = nullptr;
};

using WeightedRowsFunction = void(const WeightedRows &) noexcept;

}  // namespace tenrex::kernels
