// The loop of all kernels that make one number of a row. What it is made of comes as vectors of a Lanes type (Floats or
// Doubles of simd/) and is combined in four vectors in turn; in the end these and their lanes are combined in a fixed
// order. So the order of additions depends on the length alone.
//
// A source of such vectors has load(at), and load(at, n) for the first n lanes; zeros_behind says whether the lanes
// behind them are 0.
#pragma once

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {
namespace reduction {

// What changes nothing, and how vectors or single numbers are combined.
struct Sum {
    static constexpr double neutral = 0;
    template <class T>
    static T combine(T so_far, T x) {
        return so_far + x;
    }
};
struct Product {
    static constexpr double neutral = 1;
    template <class T>
    static T combine(T so_far, T x) {
        return so_far * x;
    }
};
struct Maximum {
    static constexpr double neutral = -__builtin_inf();
    template <class T>
    static T combine(T so_far, T x) {
        return x > so_far ? x : so_far;  // not if x is NaN
    }
};
struct Minimum {
    static constexpr double neutral = __builtin_inf();
    template <class T>
    static T combine(T so_far, T x) {
        return x < so_far ? x : so_far;
    }
};

}  // namespace reduction

// Whether a row has nothing but NaN.
template <class Lanes, class Source>
inline bool all_nan(const Source &source, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
        const typename Lanes::Vector cell = source.load(i, 1);
        if (cell[0] == cell[0]) {
            return false;
        }
    }
    return true;
}

template <class T, std::size_t lanes>
struct VectorOf {
    // An alias declaration would lose the attribute.
    typedef T V __attribute__((vector_size(lanes * sizeof(T))));
};

// Halves are combined until one lane is left.
template <class Operation, class Out, class V>
inline Out join_lanes(V x) {
    constexpr std::size_t half = sizeof(V) / sizeof(x[0]) / 2;
    static_assert(half == 1 || half == 2 || half == 4 || half == 8);
    using Half = typename VectorOf<Out, half>::V;
    const auto join = [](auto low, auto high) {
        return join_lanes<Operation, Out>(
            Operation::combine(__builtin_convertvector(low, Half), __builtin_convertvector(high, Half)));
    };
    if constexpr (half == 8) {
        return join(__builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7),
                    __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15));
    } else if constexpr (half == 4) {
        return join(__builtin_shufflevector(x, x, 0, 1, 2, 3), __builtin_shufflevector(x, x, 4, 5, 6, 7));
    } else {
        const auto lane = [&](std::size_t i) { return static_cast<Out>(x[i]); };
        const Out first = half == 1 ? lane(0) : Operation::combine(lane(0), lane(2));
        const Out second = half == 1 ? lane(1) : Operation::combine(lane(1), lane(half == 1 ? 1 : 3));
        return Operation::combine(first, second);
    }
}

// 0, 1, 2, ...
template <class V>
inline V numbered_lanes() {
    V numbers = {};
    for (std::size_t i = 1; i < sizeof(V) / sizeof(numbers[0]); ++i) {
        numbers[i] = static_cast<decltype(numbers[0] + numbers[0])>(i);
    }
    return numbers;
}

// The first lanes of a vector; behind them what changes nothing.
template <class Number, class V>
inline V filled_up(V x, std::size_t count, V neutral) {
    return numbered_lanes<V>() < static_cast<Number>(count) - V{} ? x : neutral;
}

// A row of cells.
template <class Lanes, class C>
struct CellsOfRow {
    static constexpr bool zeros_behind = true;
    const C *cells;

    typename Lanes::Vector load(std::size_t at) const { return Lanes::load(cells + at); }
    typename Lanes::Vector load(std::size_t at, std::size_t count) const { return Lanes::load(cells + at, count); }
};

// The result, or NaN if an infinity is but what the search for an extreme value began with.
template <class Lanes, class Operation, class Source>
inline double checked_extreme(double result, const Source &source, std::size_t length) {
    if constexpr (__builtin_isinf(Operation::neutral)) {
        return result == Operation::neutral && all_nan<Lanes>(source, length) ? __builtin_nan("") : result;
    } else {
        return result;
    }
}

template <class Lanes, class Operation, class Source>
inline double reduce_row(const Source &source, std::size_t length) {
    using Vector = typename Lanes::Vector;
    using Number = typename Lanes::Sum;
    constexpr std::size_t lanes = Lanes::lanes;
    const Vector neutral = static_cast<Number>(Operation::neutral) - Vector{};
    Vector totals[4] = {neutral, neutral, neutral, neutral};
    std::size_t done = 0;
    for (; length - done >= 4 * lanes; done += 4 * lanes) {
        for (std::size_t k = 0; k < 4; ++k) {
            totals[k] = Operation::combine(totals[k], source.load(done + k * lanes));
        }
    }
    if (length - done >= lanes) {
        totals[0] = Operation::combine(totals[0], source.load(done));
        done += lanes;
        if (length - done >= lanes) {
            totals[1] = Operation::combine(totals[1], source.load(done));
            done += lanes;
            if (length - done >= lanes) {
                totals[2] = Operation::combine(totals[2], source.load(done));
                done += lanes;
            }
        }
    }
    if (done < length) {
        const std::size_t count = length - done;
        Vector last = source.load(done, count);
        if constexpr (Operation::neutral != 0 || !Source::zeros_behind) {
            last = filled_up<Number>(last, count, neutral);
        }
        totals[3] = Operation::combine(totals[3], last);
    }
    const Vector total =
        Operation::combine(Operation::combine(totals[0], totals[1]), Operation::combine(totals[2], totals[3]));
    if constexpr (Operation::neutral == 0) {
        // Lanes of floats count up to 2^24 each.
        return join_lanes<Operation, double>(total);
    } else {
        return checked_extreme<Lanes, Operation>(static_cast<double>(join_lanes<Operation, Number>(total)), source,
                                                 length);
    }
}

}  // namespace
}  // namespace tenrex::kernels
