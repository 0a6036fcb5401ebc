// Rows that fit into one vector are normalized without leaving the registers: what was stored a moment ago as part of a
// vector can not be read again for some twenty cycles.
#pragma once

#include "lib/kernels/normalize/rows-inl.h"

namespace tenrex::kernels {
namespace {

// The cells of a row in a vector, zeros behind them, as a source of doubles for reduce_row().
template <class Vectors>
struct RowInVector {
    static constexpr bool zeros_behind = true;
    typename Vectors::Lanes::V cells;

    Doubles::Vector load(std::size_t at) const {
        if constexpr (__is_same(typename Vectors::Lanes, DoubleLanes)) {
            return __builtin_bit_cast(Doubles::Vector, cells);
        } else {
            using Lanes = typename Vectors::Lanes;
            return __builtin_bit_cast(Doubles::Vector, at == 0 ? Lanes::low(cells) : Lanes::high(cells));
        }
    }
    Doubles::Vector load(std::size_t at, std::size_t) const { return load(at); }
};

template <class Vectors>
inline double sum_of_vector(typename Vectors::Lanes::V cells, std::size_t length) {
    return reduce_row<Doubles, reduction::Sum>(RowInVector<Vectors>{cells}, length);
}

// Vectors that hold rows of some length.
template <class Lanes>
class ShortRow {
public:
    using V = typename Lanes::V;

    explicit ShortRow(std::size_t length) : length_(length) {}

    template <class C>
    V load(const C *cells) const {
        return length_ == Lanes::lanes ? Lanes::load(bytes_at(cells, 0)) : Lanes::load(bytes_at(cells, 0), length_);
    }
    template <class C>
    void store(C *cells, V x) const {
        if (length_ == Lanes::lanes) {
            Lanes::store(bytes_at(cells, 0), x);
        } else {
            Lanes::store(bytes_at(cells, 0), x, length_);
        }
    }
    V with_zeros_behind(V x) const {
        return numbered_lanes<V>() < Lanes::all(static_cast<typename Lanes::Scalar>(length_)) ? x : V{};
    }

private:
    std::size_t length_;
};

template <class Vectors, bool from_max>
inline void softmax_of_short_rows(const RowNormalization &rows) {
    using Lanes = typename Vectors::Lanes;
    using Cells = typename Vectors::Cells;
    using Number = typename Lanes::Scalar;
    using V = typename Lanes::V;
    const ShortRow<Lanes> vector(rows.length);
    const auto scale = static_cast<Number>(rows.scale);
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const Cells *const cells = row<Cells>(rows.cells, rows.stride, i);
        V x = vector.load(cells) * Lanes::all(scale);
        if constexpr (from_max) {
            const ScaledRow<typename Vectors::Products, Cells> scaled{cells, scale};
            x = x - Lanes::all(static_cast<Number>(
                        reduce_row<typename Vectors::Products, reduction::Maximum>(scaled, rows.length)));
        }
        const V powers = vector.with_zeros_behind(exponential<Lanes>(x));
        const double sum = sum_of_vector<Vectors>(powers, rows.length);
        Cells *const out = row_of_result<Cells>(rows, i);
        if (rows.rounds_sums || holds<Number>(sum)) {
            vector.store(out, powers / Lanes::all(static_cast<Number>(sum)));
        } else {
            vector.store(out, powers);
            divide_in_double(out, rows.length, sum);
        }
    }
}

template <class Vectors, bool from_average, bool affine>
inline void divide_short_rows(const RowNormalization &rows) {
    using Lanes = typename Vectors::Lanes;
    using Products = typename Vectors::Products;
    using Cells = typename Vectors::Cells;
    using Number = typename Lanes::Scalar;
    using V = typename Lanes::V;
    const ShortRow<Lanes> vector(rows.length);
    for (std::size_t i = 0; i < rows.rows; ++i) {
        V x = vector.load(row<Cells>(rows.cells, rows.stride, i));
        if constexpr (from_average) {
            const double sum = sum_of_vector<Vectors>(x, rows.length);
            x = vector.with_zeros_behind(average_of<Lanes>(sum, rows.length, rows.rounds_sums).subtracted_from(x));
        }
        const auto cells = __builtin_bit_cast(typename Products::Vector, x);
        const typename Products::Vector squares[] = {Products::multiply_add(cells, cells, Products::zero())};
        typename Products::Sum sum;
        Products::sum(squares, &sum);
        x = x / Lanes::all(length_of_row<Number>(static_cast<double>(sum), rows));
        if constexpr (affine) {
            if (rows.gain != nullptr) {
                x = x * vector.load(row<Cells>(rows.gain, rows.gain_stride, i));
            }
            if (rows.bias != nullptr) {
                x = x + vector.load(row<Cells>(rows.bias, rows.bias_stride, i));
            }
        }
        vector.store(row_of_result<Cells>(rows, i), x);
    }
}

}  // namespace
}  // namespace tenrex::kernels
