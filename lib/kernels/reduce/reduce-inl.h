// What the sources of this family include: the prototypes of the kernels, and what they do with rows.
#pragma once

#include "lib/kernels/reduce/bytes-inl.h"
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

// Sums and products of rows of so few cells are formed one by one, in the order of reduce_row(): vectors would have
// more work with lanes that nothing is in.
template <class Lanes>
inline constexpr std::size_t few_cells = Lanes::lanes < 4 ? Lanes::lanes : 4;

template <class Lanes, class Operation, class C>
inline double reduce_short_row(const C *cells, std::size_t length) {
    const auto cell = [&](std::size_t i) {
        return i < length ? Operation::combine(Operation::neutral, static_cast<double>(cells[i].value))
                          : Operation::neutral;
    };
    const double first = Operation::combine(cell(0), few_cells<Lanes> == 2 ? cell(1) : cell(2));
    return few_cells<Lanes> == 2 ? first : Operation::combine(first, Operation::combine(cell(1), cell(3)));
}

template <class Lanes, class Operation, class C>
inline void reduce(const Rows &rows) {
    const auto each_row = [&](auto number_of) {
        for (std::size_t i = 0; i < rows.rows; ++i) {
            rows.out[i] = number_of(row<C>(rows.cells, rows.stride_bytes, i));
        }
    };
    if constexpr ((__is_same(C, f32) || __is_same(C, f64)) && !__builtin_isinf(Operation::neutral)) {
        if (rows.length <= few_cells<Lanes>) {
            each_row([&](const C *cells) { return reduce_short_row<Lanes, Operation>(cells, rows.length); });
            return;
        }
    }
    each_row([&](const C *cells) { return reduce_row<Lanes, Operation>(CellsOfRow<Lanes, C>{cells}, rows.length); });
}

}  // namespace
}  // namespace tenrex::kernels

// The kernels that add or multiply cells of a type, in vectors of type Lanes.
#define TENREX_SUMS(type, Lanes)                               \
    void reduce_sum_##type(const Rows &rows) noexcept {        \
        reduce<Lanes, reduction::Sum, type>(rows);             \
    }                                                          \
    void columns_sum_##type(const Columns &columns) noexcept { \
        reduce_columns<Lanes, reduction::Sum, type>(columns);  \
    }                                                          \
    TENREX_PRODUCTS(type, Lanes)
#define TENREX_PRODUCTS(type, Lanes)                              \
    void reduce_prod_##type(const Rows &rows) noexcept {          \
        reduce<Lanes, reduction::Product, type>(rows);            \
    }                                                             \
    void columns_prod_##type(const Columns &columns) noexcept {   \
        reduce_columns<Lanes, reduction::Product, type>(columns); \
    }
