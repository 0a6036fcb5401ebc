// The loop of all kernels that take the largest or smallest of what pairs of cells give, or count the pairs of which
// something holds. Nothing is stored in between.
#pragma once

#include "lib/kernels/reduce/reduce_row-inl.h"
#include "lib/kernels/row_pairs/row_pairs.h"

#define TENREX_KERNEL(operation, a, b, out, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                          \
    RowPairFunction function;                                                    \
    }
#include "lib/kernels/pairwise/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {
namespace pairwise {

// What a pair of cells gives.
struct Product {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return a * b;
    }
};
struct Difference {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return a - b;
    }
};
struct Distance {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return Lanes::magnitude(a - b);
    }
};
struct Less {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return a < b ? static_cast<typename Lanes::Sum>(1) + V{} : V{};
    }
};
struct LessEqual {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return a <= b ? static_cast<typename Lanes::Sum>(1) + V{} : V{};
    }
};
struct Equal {
    template <class Lanes, class V>
    static V of(V a, V b) {
        return a == b ? static_cast<typename Lanes::Sum>(1) + V{} : V{};
    }
};

}  // namespace pairwise

template <class Lanes, class Term, class A, class B>
struct PairsOfRows {
    static constexpr bool zeros_behind = false;
    const A *a;
    const B *b;

    typename Lanes::Vector load(std::size_t at) const {
        return Term::template of<Lanes>(Lanes::load(a + at), Lanes::load(b + at));
    }
    typename Lanes::Vector load(std::size_t at, std::size_t count) const {
        return Term::template of<Lanes>(Lanes::load(a + at, count), Lanes::load(b + at, count));
    }
};

template <class Lanes, class Term, class Operation, class A, class B>
inline void reduce_pairs(const RowPairs &pairs) {
    for (std::size_t i = 0; i < pairs.rows; ++i) {
        const PairsOfRows<Lanes, Term, A, B> terms{row<A>(pairs.a, pairs.a_stride, i),
                                                   row<B>(pairs.b, pairs.b_stride, i)};
        static_cast<double *>(pairs.out)[i] = pairs.length == 0 ? 0 : reduce_row<Lanes, Operation>(terms, pairs.length);
    }
}

}  // namespace
}  // namespace tenrex::kernels
