// Reduces rows to one row. Columns are taken some vectors at a time, whose totals stay in registers while the rows
// pass.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/reduce.h"

namespace tenrex::kernels {
namespace {
namespace reduction {

// How totals of extremes are combined with the next row: those that are NaN have seen nothing yet.
template <class Lanes>
struct Larger {
    template <class V>
    static V combine(V total, V x) {
        return Lanes::larger(total, x);
    }
};
template <class Lanes>
struct Smaller {
    template <class V>
    static V combine(V total, V x) {
        return Lanes::smaller(total, x);
    }
};

}  // namespace reduction

// So many vectors beginning with a column.
template <class Lanes, class Operation, class C, std::size_t vectors>
inline void reduce_strip(const Columns &call, std::size_t first) {
    auto *const totals = static_cast<typename Lanes::Native *>(call.totals) + first;
    typename Lanes::Vector strip[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        strip[v] = Lanes::load(totals + v * Lanes::lanes);
    }
    for (std::size_t i = 0; i < call.rows; ++i) {
        const C *const cells = row<C>(call.cells, call.stride_bytes, i) + first;
        for (std::size_t v = 0; v < vectors; ++v) {
            strip[v] = Operation::combine(strip[v], Lanes::load(cells + v * Lanes::lanes));
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        Lanes::store(totals + v * Lanes::lanes, strip[v]);
    }
}

template <class Lanes, class Operation, class C>
inline void reduce_columns(const Columns &columns) {
    constexpr std::size_t together = 4;
    constexpr std::size_t lanes = Lanes::lanes;
    const Columns call = columns;  // a copy: what is written may be anything, but not this
    std::size_t first = 0;
    for (; call.columns - first >= together * lanes; first += together * lanes) {
        reduce_strip<Lanes, Operation, C, together>(call, first);
    }
    for (; call.columns - first >= lanes; first += lanes) {
        reduce_strip<Lanes, Operation, C, 1>(call, first);
    }
    const std::size_t count = call.columns - first;
    if (count > 0) {
        auto *const totals = static_cast<typename Lanes::Native *>(call.totals) + first;
        typename Lanes::Vector total = Lanes::load(totals, count);
        for (std::size_t i = 0; i < call.rows; ++i) {
            const C *const cells = row<C>(call.cells, call.stride_bytes, i) + first;
            total = Operation::combine(total, Lanes::load(cells, count));
        }
        Lanes::store(totals, total, count);
    }
}

}  // namespace
}  // namespace tenrex::kernels
