// All operations of formulas on one cell each. They compute what the kernels on tiles compute, in vectors whose lanes
// are all the same cell: so no lane takes a slower way than the one that matters. Each calls the next operation itself,
// as its last instruction.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/tile/tile.h"

namespace tenrex::kernels {
namespace {

// Narrow: vectors of 128 bits.
template <class Narrow>
struct OneCell : Narrow {
    using V = typename Narrow::V;
    using T = typename Narrow::Scalar;

    static T cell(const std::byte *values, std::uint32_t number) {
        return reinterpret_cast<const Cell<T> *>(values + number * single_cell_bytes)->value;
    }
    // Of floats: the cells in one half are those in the other.
    static auto high(V x) { return Narrow::low(x); }
    static V load(const std::byte *values, std::uint32_t number) { return Narrow::all(cell(values, number)); }
    static void store(std::byte *values, std::uint32_t number, T result) {
        reinterpret_cast<Cell<T> *>(values + number * single_cell_bytes)->value = result;
    }
    // Stores the result of an operation and goes on with the next one.
    static const TileOperation *finish(const TileOperation &operation, std::byte *values, T result) {
        store(values, operation.out, result);
        const TileOperation &next = (&operation)[1];
        return next.function.single_cell(next, values);
    }
};

inline const TileOperation *single_pause(const TileOperation &operation, std::byte *) noexcept {
    return &operation + 1;
}

inline const TileOperation *single_end(const TileOperation &, std::byte *) noexcept {
    return nullptr;
}

template <class Lanes, class Operation, std::size_t arity>
const TileOperation *single_operation(const TileOperation &operation, std::byte *values) noexcept {
    const auto compute = [&](auto... numbers) {
        if constexpr (Operation::unroll == 0) {
            return static_cast<typename Lanes::T>(
                Operation::compute(static_cast<double>(Lanes::cell(values, numbers))...));
        } else {
            return Operation::template compute<Lanes>(Lanes::load(values, numbers)...)[0];
        }
    };
    const std::uint32_t(&in)[4] = operation.in;
    if constexpr (arity == 1) {
        return Lanes::finish(operation, values, compute(in[0]));
    } else if constexpr (arity == 2) {
        return Lanes::finish(operation, values, compute(in[0], in[1]));
    } else {
        return Lanes::finish(operation, values, compute(in[0], in[1], in[2]));
    }
}

template <class Lanes>
const TileOperation *single_sum_of_products(const TileOperation &operation, std::byte *values) noexcept {
    const auto product = [&](const TileTerm &term) {
        return Lanes::cell(values, term.a) * Lanes::cell(values, term.b);
    };
    typename Lanes::T sum = product(operation.terms[0]);
    const TileTerm *const end = operation.terms + operation.count;
#pragma GCC unroll 4
    for (const TileTerm *term = operation.terms + 1; term != end; ++term) {
        sum = sum + product(*term);  // never fused: the sources are compiled with -ffp-contract=off
    }
    return Lanes::finish(operation, values, sum);
}

template <class Lanes, class Comparison>
const TileOperation *single_choice(const TileOperation &operation, std::byte *values) noexcept {
    // As vectors: of single cells compilers would make a branch, which documents take as they like.
    const auto load = [&](std::size_t operand) { return Lanes::load(values, operation.in[operand]); };
    const typename Lanes::V result = Comparison::holds(load(2), load(3)) ? load(0) : load(1);
    return Lanes::finish(operation, values, result[0]);
}

template <class Lanes>
const TileOperation *single_in_set(const TileOperation &operation, std::byte *values) noexcept {
    const typename Lanes::V x = Lanes::load(values, operation.in[0]);
    typename Lanes::I found = {};
#pragma GCC unroll 4
    for (std::uint32_t member = 0; member < operation.count; ++member) {
        found |= x == Lanes::load(values, operation.in[1] + member);
    }
    const typename Lanes::V result = found ? Lanes::all(1) : Lanes::all(0);
    return Lanes::finish(operation, values, result[0]);
}

template <class To, class From>
const TileOperation *single_conversion(const TileOperation &operation, std::byte *values) noexcept {
    return To::finish(operation, values, static_cast<typename To::T>(From::cell(values, operation.in[0])));
}

}  // namespace
}  // namespace tenrex::kernels
