// The loop of all kernels that compute cell by cell, over vectors of a Lanes type and an Operation:
//
//   Lanes                  Scalar, V: a cell and a vector of `lanes` of them
//     load(p), load(p, n)    a vector; its first n lanes with zeros behind them
//     store(p, v), store(p, v, n)
//   Operation::compute<Lanes>(a), (a, b) or (a, b, c)   the vector of results
//   Operation::unroll      how many vectors to compute before the loop turns
//
// The rest behind the last full vector goes through the same code in a vector of its own, so that a result depends on
// its operands alone.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/elementwise.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    ElementwiseFunction function;                                           \
    }
#include "lib/kernels/elementwise/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// Where the next cells of an operand are, and how many bytes a vector takes there: none if there is one cell for all.
template <class Lanes>
struct Operand {
    typename Lanes::V cell;
    const char *at = nullptr;
    std::size_t step = 0;

    Operand(const void *cells, bool fixed) {
        if (fixed) {
            cell = Lanes::all(static_cast<const Cell<typename Lanes::Scalar> *>(cells)->value);
            at = reinterpret_cast<const char *>(&cell);
        } else {
            at = static_cast<const char *>(cells);
            step = sizeof(cell);
        }
    }
    Operand(const Operand &) = delete;
    Operand &operator=(const Operand &) = delete;

    typename Lanes::V load(std::size_t vector) const { return Lanes::load(at + vector * step); }
    typename Lanes::V load_first(std::size_t count) const { return Lanes::load(at, count); }
    void advance(std::size_t vectors) { at += vectors * step; }
};

template <class Lanes, class Operation, class... Operands>
inline void compute_cells(char *out, std::size_t length, Operands &...operands) {
    constexpr std::size_t unroll = Operation::unroll;
    while (length >= unroll * Lanes::lanes) {
        for (std::size_t vector = 0; vector < unroll; ++vector) {
            Lanes::store(out + vector * sizeof(typename Lanes::V),
                         Operation::template compute<Lanes>(operands.load(vector)...));
        }
        (operands.advance(unroll), ...);
        out += unroll * sizeof(typename Lanes::V);
        length -= unroll * Lanes::lanes;
    }
    if constexpr (unroll > 1) {
        while (length >= Lanes::lanes) {
            Lanes::store(out, Operation::template compute<Lanes>(operands.load(0)...));
            (operands.advance(1), ...);
            out += sizeof(typename Lanes::V);
            length -= Lanes::lanes;
        }
    }
    if (length > 0) {
        Lanes::store(out, Operation::template compute<Lanes>(operands.load_first(length)...), length);
    }
}

template <class Lanes, class Operation, std::size_t arity>
inline void elementwise(const Elementwise &cells) {
    if (cells.length == 0) {
        return;
    }
    char *const out = static_cast<char *>(cells.out);
    const std::size_t length = cells.length;
    Operand<Lanes> a(cells.a, (cells.fixed & 1) != 0);
    if constexpr (arity == 1) {
        compute_cells<Lanes, Operation>(out, length, a);
    } else {
        Operand<Lanes> b(cells.b, (cells.fixed & 2) != 0);
        if constexpr (arity == 2) {
            compute_cells<Lanes, Operation>(out, length, a, b);
        } else {
            Operand<Lanes> c(cells.c, (cells.fixed & 4) != 0);
            compute_cells<Lanes, Operation>(out, length, a, b, c);
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
