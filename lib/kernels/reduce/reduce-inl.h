// What the sources of this family include: the prototypes of the kernels, and what they do with rows.
#pragma once

#include "lib/kernels/reduce/columns-inl.h"
#include "lib/kernels/reduce/median-inl.h"
#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/reduce/reduce_row-inl.h"
#include "lib/kernels/reduce/weighted-inl.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    ColumnsFunction columns_##operation##_##type;                           \
    }
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    }
#include "lib/kernels/reduce/medians.def"
#undef TENREX_KERNEL

#define TENREX_KERNEL(type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                          \
    WeightedRowsFunction function;                               \
    }
#include "lib/kernels/reduce/weighted.def"
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

// The kernels that add or multiply cells of a type, in vectors of type Lanes.
#define TENREX_SUMS(type, Lanes)                                  \
    void reduce_sum_##type(const Rows &rows) noexcept {           \
        reduce<Lanes, reduction::Sum, type>(rows);                \
    }                                                             \
    void columns_sum_##type(const Columns &columns) noexcept {    \
        reduce_columns<Lanes, reduction::Sum, type>(columns);     \
    }                                                             \
    void reduce_prod_##type(const Rows &rows) noexcept {          \
        reduce<Lanes, reduction::Product, type>(rows);            \
    }                                                             \
    void columns_prod_##type(const Columns &columns) noexcept {   \
        reduce_columns<Lanes, reduction::Product, type>(columns); \
    }
