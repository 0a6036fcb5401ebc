// Adds up rows with weights. Columns are taken some vectors at a time, whose sums stay in registers while the rows
// pass. A call is read member by member: its caller has just written it so, and a processor waits where one load takes
// two such stores.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/reduce.h"

namespace tenrex::kernels {
namespace {

// So many vectors beginning with a column, of which the last one may have fewer cells.
template <class Lanes, class C, std::size_t vectors>
[[gnu::always_inline]] inline void weighted_strip(const WeightedRows &call, std::size_t first, std::size_t last_cells) {
    const auto *const cells = static_cast<const C *>(call.cells);
    const auto *const weights = static_cast<const C *>(call.weights);
    const auto load = [&](const C *from, std::size_t vector) {
        return vector + 1 < vectors || last_cells == Lanes::lanes
                   ? Lanes::load(from + vector * Lanes::lanes)
                   : Lanes::load(from + vector * Lanes::lanes, last_cells);
    };
    typename Lanes::Vector strip[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        strip[v] = Lanes::zero();
    }
    for (std::size_t i = 0; i < call.rows; ++i) {
        const C *const row = cells + (call.row_of[i] * call.columns + first);
        const typename Lanes::Native weight{static_cast<double>(weights[call.weight_of[i]].value)};
        const typename Lanes::Vector factor = Lanes::broadcast(&weight);
        for (std::size_t v = 0; v < vectors; ++v) {
            strip[v] = Lanes::multiply_add(load(row, v), factor, strip[v]);
        }
    }
    typename Lanes::Native sums[vectors * Lanes::lanes];
    for (std::size_t v = 0; v < vectors; ++v) {
        Lanes::store(sums + v * Lanes::lanes, strip[v]);
    }
    auto *const out = static_cast<C *>(call.out) + first;
    for (std::size_t i = 0; i < (vectors - 1) * Lanes::lanes + last_cells; ++i) {
        out[i].value = static_cast<decltype(out->value)>(sums[i].value);
    }
}

// What one row adds up to, or none: each product is a cell, and is rounded once.
template <class C>
inline void weighted_row(const WeightedRows &call) {
    if (call.rows == 0) {
        __builtin_memset(call.out, 0, call.columns * sizeof(C));
        return;
    }
    const std::size_t columns = call.columns;
    const C *__restrict row = static_cast<const C *>(call.cells) + call.row_of[0] * columns;
    C *__restrict out = static_cast<C *>(call.out);
    const auto weight = static_cast<const C *>(call.weights)[call.weight_of[0]].value;
    for (std::size_t i = 0; i < columns; ++i) {
        out[i].value = row[i].value * weight + 0;  // 0 where the product is -0, as in any sum
    }
}

template <class Lanes, class C>
inline void weighted_sum(const WeightedRows &rows) {
    constexpr std::size_t together = 8;
    constexpr std::size_t lanes = Lanes::lanes;
    if (rows.rows <= 1) {
        return weighted_row<C>(rows);
    }
    const WeightedRows call = rows;  // a copy: what is written may be anything, but not this
    std::size_t first = 0;
    for (; call.columns - first >= together * lanes; first += together * lanes) {
        weighted_strip<Lanes, C, together>(call, first, lanes);
    }
    for (; first < call.columns; first += lanes) {
        const std::size_t left = call.columns - first;
        weighted_strip<Lanes, C, 1>(call, first, left < lanes ? left : lanes);
    }
}

}  // namespace
}  // namespace tenrex::kernels
