// Reduces rows to one row. Columns are taken some vectors at a time, whose totals stay in registers while the rows
// pass.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

namespace tenrex::kernels {
namespace {
namespace reduction {

// How totals of extremes are combined with the next row: those that are NaN have seen nothing yet. Quick: how, if they
// begin with an infinity that nothing is beyond.
template <class Lanes>
struct Larger {
    using Quick = Maximum;
    template <class V>
    static V combine(V total, V x) {
        return Lanes::larger(total, x);
    }
};
template <class Lanes>
struct Smaller {
    using Quick = Minimum;
    template <class V>
    static V combine(V total, V x) {
        return Lanes::smaller(total, x);
    }
};

}  // namespace reduction

// Extremes of some rows for so many vectors, without looking for NaN in every row. False: a column may have nothing
// else.
template <class Lanes, class Operation, class C, std::size_t vectors>
inline bool reduce_strip_quickly(const Columns &call, std::size_t first) {
    using Vector = typename Lanes::Vector;
    using Quick = typename Operation::Quick;
    const Vector neutral = static_cast<typename Lanes::Sum>(Quick::neutral) - Vector{};
    Vector strip[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        strip[v] = neutral;
    }
    for (std::size_t i = 0; i < call.rows; ++i) {
        const C *const cells = row<C>(call.cells, call.stride_bytes, i) + first;
        for (std::size_t v = 0; v < vectors; ++v) {
            strip[v] = Quick::combine(strip[v], Lanes::load(cells + v * Lanes::lanes));
        }
    }
    auto unchanged = strip[0] == neutral;
    for (std::size_t v = 1; v < vectors; ++v) {
        unchanged |= strip[v] == neutral;
    }
    bool any = false;
    for (std::size_t lane = 0; lane < Lanes::lanes; ++lane) {
        any |= unchanged[lane] != 0;
    }
    auto *const totals = static_cast<typename Lanes::Native *>(call.totals) + first;
    for (std::size_t v = 0; v < vectors && !any; ++v) {
        Lanes::store(totals + v * Lanes::lanes, Operation::combine(Lanes::load(totals + v * Lanes::lanes), strip[v]));
    }
    return !any;
}

// So many vectors beginning with a column.
template <class Lanes, class Operation, class C, std::size_t vectors>
inline void reduce_strip(const Columns &call, std::size_t first) {
    constexpr std::size_t many = 8;  // rows, for which it pays
    if constexpr (requires { typename Operation::Quick; }) {
        if (call.rows >= many && reduce_strip_quickly<Lanes, Operation, C, vectors>(call, first)) {
            return;
        }
    }
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
    constexpr std::size_t together = 8;
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
