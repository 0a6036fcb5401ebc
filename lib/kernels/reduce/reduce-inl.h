// What the sources of this family include: the prototypes of the kernels, and what they do with rows.
#pragma once

#include "lib/kernels/reduce/columns-inl.h"
#include "lib/kernels/reduce_row-inl.h"
#include "lib/kernels/rows.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    ColumnsFunction columns_##operation##_##type;                           \
    }
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

template <class Lanes, class Operation, class C>
inline void reduce(const Rows &rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
        rows.out[i] =
            reduce_row<Lanes, Operation>(CellsOfRow<Lanes, C>{row<C>(rows.cells, rows.stride_bytes, i)}, rows.length);
    }
}

}  // namespace
}  // namespace tenrex::kernels

// All kernels for a cell type, in the namespace of a target. Sums and products are formed in double; an extreme value
// of narrower cells is exact in float.
#define TENREX_REDUCE(type, Extremes)                                          \
    void reduce_sum_##type(const Rows &rows) noexcept {                        \
        reduce<Doubles, reduction::Sum, type>(rows);                           \
    }                                                                          \
    void columns_sum_##type(const Columns &columns) noexcept {                 \
        reduce_columns<Doubles, reduction::Sum, type>(columns);                \
    }                                                                          \
    void reduce_prod_##type(const Rows &rows) noexcept {                       \
        reduce<Doubles, reduction::Product, type>(rows);                       \
    }                                                                          \
    void columns_prod_##type(const Columns &columns) noexcept {                \
        reduce_columns<Doubles, reduction::Product, type>(columns);            \
    }                                                                          \
    void reduce_max_##type(const Rows &rows) noexcept {                        \
        reduce<Extremes, reduction::Maximum, type>(rows);                      \
    }                                                                          \
    void columns_max_##type(const Columns &columns) noexcept {                 \
        reduce_columns<Extremes, reduction::Larger<Extremes>, type>(columns);  \
    }                                                                          \
    void reduce_min_##type(const Rows &rows) noexcept {                        \
        reduce<Extremes, reduction::Minimum, type>(rows);                      \
    }                                                                          \
    void columns_min_##type(const Columns &columns) noexcept {                 \
        reduce_columns<Extremes, reduction::Smaller<Extremes>, type>(columns); \
    }
