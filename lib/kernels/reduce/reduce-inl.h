// What the sources of this family include: rows of cells, and the prototypes of the kernels.
#pragma once

#include "lib/kernels/reduce_row-inl.h"
#include "lib/kernels/rows.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    }
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {
// A row of cells.
template <class Lanes, class C>
struct CellsOfRow {
    static constexpr bool zeros_behind = true;
    const C *cells;

    typename Lanes::Vector load(std::size_t at) const { return Lanes::load(cells + at); }
    typename Lanes::Vector load(std::size_t at, std::size_t count) const { return Lanes::load(cells + at, count); }
};

template <class Lanes, class Operation, class C>
inline void reduce(const Rows &rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
        rows.out[i] =
            reduce_row<Lanes, Operation>(CellsOfRow<Lanes, C>{row<C>(rows.cells, rows.stride_bytes, i)}, rows.length);
    }
}

}  // namespace
}  // namespace tenrex::kernels
