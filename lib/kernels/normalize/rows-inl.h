// What the kernels for rows that fit into a vector and those for longer ones share.
#pragma once

#include "lib/kernels/elementwise/exponential-inl.h"
#include "lib/kernels/normalize/normalize.h"
#include "lib/kernels/reduce/reduce_row-inl.h"
#include "lib/kernels/row_pairs/row_pairs-inl.h"

namespace tenrex::kernels {
namespace {

// The vectors for a cell type: those that functions of cells compute with, and those that sums of products do.
struct VectorsOfFloats {
    using Lanes = FloatLanes;
    using Products = Floats;
    using Cells = f32;
};
struct VectorsOfDoubles {
    using Lanes = DoubleLanes;
    using Products = Doubles;
    using Cells = f64;
};

// A row of cells, each multiplied by a number.
template <class Lanes, class C>
struct ScaledRow {
    static constexpr bool zeros_behind = false;  // zero times infinity is none
    const C *cells;
    typename Lanes::Sum scale;

    typename Lanes::Vector load(std::size_t at) const { return Lanes::load(cells + at) * scale; }
    typename Lanes::Vector load(std::size_t at, std::size_t count) const {
        return Lanes::load(cells + at, count) * scale;
    }
};

template <class C>
inline const char *bytes_at(const C *cells, std::size_t index) {
    return reinterpret_cast<const char *>(cells + index);
}
template <class C>
inline char *bytes_at(C *cells, std::size_t index) {
    return reinterpret_cast<char *>(cells + index);
}

template <class C>
inline C *row_of_result(const RowNormalization &rows, std::size_t i) {
    return static_cast<C *>(rows.out) + i * rows.length;
}

// A number that is subtracted from cells: the nearest one of their type, and what that leaves.
template <class V>
struct InTwoParts {
    V nearest, rest;

    V subtracted_from(V x) const { return x - nearest - rest; }
};

// An average is a number that the cells may nearly cancel. rounds: it is one of the cells' type, as others would store
// it.
template <class Lanes>
inline InTwoParts<typename Lanes::V> average_of(double sum, std::size_t length, bool rounds) {
    using Number = typename Lanes::Scalar;
    const double average = sum / static_cast<double>(length);
    const auto nearest = static_cast<Number>(average);
    const double rest = average - static_cast<double>(nearest);
    const bool has_rest = !rounds && rest * 0 == 0;  // none of an infinity
    return {Lanes::all(nearest), Lanes::all(has_rest ? static_cast<Number>(rest) : Number(0))};
}

// Sums of powers may be too large for a float though no power is.
template <class Number>
inline bool holds(double sum) {
    const auto nearest = static_cast<Number>(sum);
    return nearest * 0 == 0 || sum * 0 != 0;
}

// Without vectors: it hardly ever happens.
template <class C>
[[gnu::noinline]] void divide_in_double(C *cells, std::size_t length, double divisor) {
    for (std::size_t i = 0; i < length; ++i) {
        cells[i].value = static_cast<decltype(cells[i].value)>(static_cast<double>(cells[i].value) / divisor);
    }
}

inline double square_root(double x) {
    return DoubleLanes::sqrt(DoubleLanes::all(x))[0];
}

// What a row is divided by, from the sum of its squares. A float that is computed in double and rounded is the same as
// computed in float.
template <class Number>
inline Number length_of_row(double squares, const RowNormalization &rows) {
    if (!rows.rounds_sums) {
        return static_cast<Number>(square_root(squares / rows.divisor + rows.epsilon) + rows.root_epsilon);
    }
    const auto rounded = [](double x) { return static_cast<double>(static_cast<Number>(x)); };
    const double mean = rounded(squares / rounded(rows.divisor));
    const double root = rounded(square_root(rounded(mean + rounded(rows.epsilon))));
    return static_cast<Number>(root + rounded(rows.root_epsilon));
}

}  // namespace
}  // namespace tenrex::kernels
