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

// Rows of so few cells are combined one by one, in the order of reduce_row(): vectors would have more work with lanes
// that nothing is in. Two vectors are combined like the halves of one, but for sums of floats: the lanes of those are
// joined in double.
template <class Lanes, class Operation, class C>
inline constexpr std::size_t few_cells = [] {
    constexpr bool is_float_sum = __is_same(typename Lanes::Sum, float) && Operation::neutral == 0;
    constexpr std::size_t lanes = is_float_sum ? Lanes::lanes : 2 * Lanes::lanes;
    constexpr bool is_number = __is_same(C, f32) || __is_same(C, f64);
    return !is_number ? 0 : lanes < 8 ? lanes : 8;
}();

// What is in a lane once all lanes are combined that are a multiple of `step` behind it.
template <class Operation, class Number, std::size_t length, std::size_t step = 1, std::size_t lane = 0, class C>
inline Number join_cells(const C *cells) {
    if constexpr (lane + step < length) {
        return Operation::combine(join_cells<Operation, Number, length, 2 * step, lane>(cells),
                                  join_cells<Operation, Number, length, 2 * step, lane + step>(cells));
    } else {
        return Operation::combine(static_cast<Number>(Operation::neutral), static_cast<Number>(cells[lane].value));
    }
}

// Whether f<length>() was called, for one of the lengths from 1 to `most`.
template <std::size_t most, class F>
inline bool with_length(std::size_t length, F f) {
    if constexpr (most == 0) {
        return false;
    } else if (length == most) {
        f.template operator()<most>();
        return true;
    } else {
        return with_length<most - 1>(length, f);
    }
}

template <class Lanes, class Operation, class C>
inline void reduce(const Rows &rows) {
    const auto each_row = [&](auto number_of) {
        for (std::size_t i = 0; i < rows.rows; ++i) {
            rows.out[i] = number_of(row<C>(rows.cells, rows.stride_bytes, i));
        }
    };
    const bool is_done = with_length<few_cells<Lanes, Operation, C>>(rows.length, [&]<std::size_t length>() {
        each_row([](const C *cells) {
            if constexpr (__builtin_isinf(Operation::neutral)) {
                const double result = join_cells<Operation, typename Lanes::Sum, length>(cells);
                return checked_extreme<Lanes, Operation>(result, CellsOfRow<Lanes, C>{cells}, length);
            } else {
                return join_cells<Operation, double, length>(cells);
            }
        });
    });
    if (is_done) {
        return;
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
