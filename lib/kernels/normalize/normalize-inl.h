// The loops of all kernels that normalize rows. A row goes through a few passes while it is in the first-level cache;
// every number is rounded where operations one by one would round it, and sums are added up in the order of the kernels
// for sums and dot products.
#pragma once

#include "lib/kernels/normalize/rows-inl.h"
#include "lib/kernels/normalize/short_rows-inl.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowNormalizationFunction function;                                      \
    }
#include "lib/kernels/normalize/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// Calls change(first cell) for each full vector of a row, and change(first cell, count) for what is behind them.
template <class Lanes, class Change>
inline void for_each_vector(std::size_t length, const Change &change) {
    std::size_t done = 0;
    for (; length - done >= Lanes::lanes; done += Lanes::lanes) {
        change(done);
    }
    if (done < length) {
        change(done, length - done);
    }
}

// Writes a vector of row i that is not finished yet. What it is read from next are vectors: so a whole one is written
// at the end of a row, too, where it goes on into rows that come later.
template <class Lanes, class C, class... Count>
inline void store_unfinished(const RowNormalization &rows, std::size_t i, std::size_t at, typename Lanes::V x,
                             Count... count) {
    char *const cells = bytes_at(row_of_result<C>(rows, i), at);
    if (sizeof...(count) != 0 && at + Lanes::lanes > (rows.rows - i) * rows.length) {
        Lanes::store(cells, x, count...);
    } else {
        Lanes::store(cells, x);
    }
}

// Calls begin(i, other), which gives what row i is divided by, and finish(i, divisor) for each row; finish gives a
// function of the first cell of a vector, and of the count of cells if they are fewer. A row is finished while the next
// one begins: its divisor is the end of a long chain of operations, and divisions are slow, but leave room for others.
// So begin() calls other(first cell) or other(first cell, count) for each vector once.
template <class Lanes, class Begin, class Finish>
inline void for_each_row(const RowNormalization &rows, const Begin &begin, const Finish &finish) {
    if (rows.rows == 0) {
        return;
    }
    auto divisor = begin(0, [](auto...) {});
    for (std::size_t i = 1; i < rows.rows; ++i) {
        divisor = begin(i, finish(i - 1, divisor));
    }
    for_each_vector<Lanes>(rows.length, finish(rows.rows - 1, divisor));
}

// exp(x) / sum(exp(x)), where x are the cells times the scale, or what these exceed their maximum by.
template <class Vectors, bool from_max>
inline void softmax(const RowNormalization &rows) {
    using Lanes = typename Vectors::Lanes;
    using Cells = typename Vectors::Cells;
    using Number = typename Lanes::Scalar;
    using V = typename Lanes::V;
    if (rows.length <= Lanes::lanes) {
        return softmax_of_short_rows<Vectors, from_max>(rows);
    }
    const auto scale = static_cast<Number>(rows.scale);
    const auto begin = [&](std::size_t i, const auto &other) {
        const Cells *const cells = row<Cells>(rows.cells, rows.stride, i);
        Cells *const out = row_of_result<Cells>(rows, i);
        V max = {};
        if constexpr (from_max) {
            const ScaledRow<typename Vectors::Products, Cells> scaled{cells, scale};
            max = Lanes::all(
                static_cast<Number>(reduce_row<typename Vectors::Products, reduction::Maximum>(scaled, rows.length)));
        }
        for_each_vector<Lanes>(rows.length, [&](std::size_t at, auto... count) {
            V x = Lanes::load(bytes_at(cells, at), count...) * Lanes::all(scale);
            if constexpr (from_max) {
                x = x - max;
            }
            store_unfinished<Lanes, Cells>(rows, i, at, exponential<Lanes>(x), count...);
            other(at, count...);
        });
        const double sum = reduce_row<Doubles, reduction::Sum>(CellsOfRow<Doubles, Cells>{out}, rows.length);
        if (!rows.rounds_sums && !holds<Number>(sum)) {
            divide_in_double(out, rows.length, sum);
            return Lanes::all(1);
        }
        return Lanes::all(static_cast<Number>(sum));
    };
    const auto finish = [&](std::size_t i, V sum) {
        return [=, out = row_of_result<Cells>(rows, i)](std::size_t at, auto... count) {
            Lanes::store(bytes_at(out, at), Lanes::load(bytes_at(out, at), count...) / sum, count...);
        };
    };
    for_each_row<Lanes>(rows, begin, finish);
}

// x / (sqrt(sum(x*x) / divisor + epsilon) + root_epsilon), where x are the cells, or what these exceed their average
// by; and that times the gain, plus the bias.
template <class Vectors, bool from_average, bool affine>
inline void divide_by_length(const RowNormalization &rows) {
    using Lanes = typename Vectors::Lanes;
    using Products = typename Vectors::Products;
    using Cells = typename Vectors::Cells;
    using Number = typename Lanes::Scalar;
    using V = typename Lanes::V;
    const std::size_t length = rows.length;
    if (length <= Lanes::lanes) {
        return divide_short_rows<Vectors, from_average, affine>(rows);
    }
    // Where the row is that will be divided.
    const auto source = [&](std::size_t i) -> const Cells * {
        return from_average ? row_of_result<Cells>(rows, i) : row<Cells>(rows.cells, rows.stride, i);
    };
    const auto begin = [&](std::size_t i, const auto &other) {
        if constexpr (from_average) {
            const Cells *const cells = row<Cells>(rows.cells, rows.stride, i);
            const double sum = reduce_row<Doubles, reduction::Sum>(CellsOfRow<Doubles, Cells>{cells}, length);
            const InTwoParts<V> average = average_of<Lanes>(sum, length, rows.rounds_sums);
            for_each_vector<Lanes>(length, [&](std::size_t at, auto... count) {
                const V x = Lanes::load(bytes_at(cells, at), count...);
                store_unfinished<Lanes, Cells>(rows, i, at, average.subtracted_from(x), count...);
                other(at, count...);
            });
        }
        const Group<Cells, Cells, 1, true> same{{source(i)}, {source(i)}};
        typename Products::Sum squares;
        total<Product<Products>>(same, 0, 0, length, &squares);
        if constexpr (!from_average) {
            for_each_vector<Lanes>(length, other);
        }
        return Lanes::all(length_of_row<Number>(static_cast<double>(squares), rows));
    };
    // What changes nothing, where there is no gain or bias.
    const V one = Lanes::all(1);
    const V nothing = Lanes::all(Number(-0.0));
    const bool gains = rows.gain != nullptr;
    const bool adds = rows.bias != nullptr;
    const auto finish = [&](std::size_t i, V divisor) {
        const Cells *const gain =
            gains ? row<Cells>(rows.gain, rows.gain_stride, i) : reinterpret_cast<const Cells *>(&one);
        const Cells *const bias =
            adds ? row<Cells>(rows.bias, rows.bias_stride, i) : reinterpret_cast<const Cells *>(&nothing);
        return [=, from = source(i), out = row_of_result<Cells>(rows, i)](std::size_t at, auto... count) {
            V x = Lanes::load(bytes_at(from, at), count...) / divisor;
            if constexpr (affine) {
                x = x * Lanes::load(bytes_at(gain, gains ? at : 0), count...);
                x = x + Lanes::load(bytes_at(bias, adds ? at : 0), count...);
            }
            Lanes::store(bytes_at(out, at), x, count...);
        };
    };
    for_each_row<Lanes>(rows, begin, finish);
}

template <class Vectors, bool from_average>
inline void divide_rows(const RowNormalization &rows) {
    if (rows.gain != nullptr || rows.bias != nullptr) {
        divide_by_length<Vectors, from_average, true>(rows);
    } else {
        divide_by_length<Vectors, from_average, false>(rows);
    }
}

}  // namespace
}  // namespace tenrex::kernels
