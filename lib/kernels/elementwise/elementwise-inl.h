// The loops of all kernels that compute cell by cell. Most go over vectors of a Lanes type:
//
//   Lanes                  Scalar, V: a cell and a vector of `lanes` of them
//     load(p), load(p, n)    a vector; its first n lanes with zeros behind them
//     store(p, v), store(p, v, n)
//   Operation::compute<Lanes>(a), (a, b) or (a, b, c)   the vector of results
//   Operation::unroll      how many vectors to compute before the loop turns; 0 for operations whose compute() takes
//                          doubles, one cell after the other
//
// The rest behind the last full vector goes through the same code in a vector of its own, so that a result depends on
// its operands alone.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/elementwise/elementwise.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    ElementwiseFunction function;                                           \
    }
#include "lib/kernels/elementwise/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// Where the next cells of an operand are, and how many bytes it takes from one vector to the next.
struct Operand {
    const char *at;
    std::size_t step;
};

// The room for an operand that is one cell for all, as a vector of it.
template <class Lanes>
inline Operand operand(const void *cells, bool fixed, typename Lanes::V &room) {
    if (fixed) {
        room = Lanes::all(static_cast<const Cell<typename Lanes::Scalar> *>(cells)->value);
        return {reinterpret_cast<const char *>(&room), 0};
    }
    return {static_cast<const char *>(cells), sizeof(room)};
}

template <class Lanes, class Operation, class... Operands>
inline void compute_vectors(char *out, std::size_t length, Operands... operands) {
    constexpr std::size_t unroll = Operation::unroll;
    constexpr std::size_t size = sizeof(typename Lanes::V);
    for (; length >= unroll * Lanes::lanes; length -= unroll * Lanes::lanes, out += unroll * size) {
        for (std::size_t i = 0; i < unroll; ++i) {
            Lanes::store(out + i * size,
                         Operation::template compute<Lanes>(Lanes::load(operands.at + i * operands.step)...));
        }
        ((operands.at += unroll * operands.step), ...);
    }
    if constexpr (unroll > 1) {
        for (; length >= Lanes::lanes; length -= Lanes::lanes, out += size) {
            Lanes::store(out, Operation::template compute<Lanes>(Lanes::load(operands.at)...));
            ((operands.at += operands.step), ...);
        }
    }
    if (length > 0) {
        Lanes::store(out, Operation::template compute<Lanes>(Lanes::load(operands.at, length)...), length);
    }
}

template <class T, class Operation, class... Operands>
inline void compute_cells(char *out, std::size_t length, Operands... operands) {
    for (std::size_t i = 0; i < length; ++i) {
        const auto cell = [](const char *at) {
            return static_cast<double>(reinterpret_cast<const Cell<T> *>(at)->value);
        };
        const double result = Operation::compute(cell(operands.at)...);
        reinterpret_cast<Cell<T> *>(out)[i].value = static_cast<T>(result);
        ((operands.at += operands.step != 0 ? sizeof(T) : 0), ...);
    }
}

template <class Lanes, class Operation, class... Operands>
inline void compute(char *out, std::size_t length, Operands... operands) {
    if constexpr (Operation::unroll == 0) {
        compute_cells<typename Lanes::Scalar, Operation>(out, length, operands...);
    } else {
        compute_vectors<Lanes, Operation>(out, length, operands...);
    }
}

template <class Lanes, class Operation, std::size_t arity>
inline void elementwise(const Elementwise &cells) {
    if (cells.length == 0) {
        return;
    }
    typename Lanes::V rooms[arity];
    char *const out = static_cast<char *>(cells.out);
    const Operand a = operand<Lanes>(cells.a, (cells.fixed & 1) != 0, rooms[0]);
    if constexpr (arity == 1) {
        compute<Lanes, Operation>(out, cells.length, a);
    } else {
        const Operand b = operand<Lanes>(cells.b, (cells.fixed & 2) != 0, rooms[1]);
        if constexpr (arity == 2) {
            compute<Lanes, Operation>(out, cells.length, a, b);
        } else {
            const Operand c = operand<Lanes>(cells.c, (cells.fixed & 4) != 0, rooms[2]);
            compute<Lanes, Operation>(out, cells.length, a, b, c);
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
