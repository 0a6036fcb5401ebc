// The loop of all kernels that reduce rows. Cells are loaded as vectors of a Lanes type (Floats or Doubles of simd/)
// and combined in four vectors in turn; in the end these and their lanes are combined in a fixed order. So the order
// of additions depends on the length alone.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/rows.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    }
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL

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

// Whether a row has no cell but NaN.
template <class Lanes, class C>
inline bool all_nan(const C *cells, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
        const typename Lanes::Vector cell = Lanes::load(cells + i, 1);
        if (cell[0] == cell[0]) {
            return false;
        }
    }
    return true;
}

template <class Lanes, class Operation, class C>
inline double reduce_row(const C *cells, std::size_t length) {
    using Vector = typename Lanes::Vector;
    using Number = typename Lanes::Sum;
    constexpr std::size_t lanes = Lanes::lanes;
    const Vector neutral = static_cast<Number>(Operation::neutral) - Vector{};
    Vector totals[4] = {neutral, neutral, neutral, neutral};
    std::size_t done = 0;
    for (; length - done >= 4 * lanes; done += 4 * lanes) {
        for (std::size_t k = 0; k < 4; ++k) {
            totals[k] = Operation::combine(totals[k], Lanes::load(cells + done + k * lanes));
        }
    }
    for (std::size_t k = 0; k < 4 && length - done >= lanes; ++k, done += lanes) {
        totals[k] = Operation::combine(totals[k], Lanes::load(cells + done));
    }
    if (done < length) {
        const std::size_t count = length - done;
        Vector last = Lanes::load(cells + done, count);
        if constexpr (Operation::neutral != 0) {
            Vector place = {};
            for (std::size_t i = 1; i < lanes; ++i) {
                place[i] = static_cast<Number>(i);
            }
            last = place < static_cast<Number>(count) - Vector{} ? last : neutral;
        }
        totals[3] = Operation::combine(totals[3], last);
    }
    const Vector total =
        Operation::combine(Operation::combine(totals[0], totals[1]), Operation::combine(totals[2], totals[3]));
    Number numbers[lanes];
    __builtin_memcpy(numbers, &total, sizeof(total));
    for (std::size_t left = lanes / 2; left > 0; left /= 2) {
        for (std::size_t i = 0; i < left; ++i) {
            numbers[i] = Operation::combine(numbers[i], numbers[i + left]);
        }
    }
    return numbers[0];
}

template <class Lanes, class Operation, class C>
inline void reduce(const Rows &rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const C *cells = row<C>(rows.cells, rows.stride_bytes, i);
        double result = reduce_row<Lanes, Operation>(cells, rows.length);
        // An infinity may be what the search for an extreme value began with.
        if (result == Operation::neutral && Operation::neutral - Operation::neutral != 0 &&
            all_nan<Lanes>(cells, rows.length)) {
            result = __builtin_nan("");
        }
        rows.out[i] = result;
    }
}

}  // namespace
}  // namespace tenrex::kernels
