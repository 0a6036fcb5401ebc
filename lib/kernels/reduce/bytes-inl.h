// Sums and extremes of bytes. They are whole numbers, so vectors of integers have the exact result, whatever the order.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/columns-inl.h"
#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

namespace tenrex::kernels {
namespace {

// Sums of bytes in lanes of 16 bits, which hold the sum of 256 of them.
template <class Lanes>
struct ByteSums {
    static constexpr std::size_t lanes = sizeof(typename Lanes::Vector) / 2;
    using Bytes = typename VectorOf<std::int8_t, lanes>::V;
    using V = typename VectorOf<std::int16_t, lanes>::V;
};

template <class V>
inline V vector_at(const i8 *cells) {
    V vector;
    __builtin_memcpy(&vector, cells, sizeof(V));
    return vector;
}

// Halves are combined until one lane is left.
template <class Operation, class T, std::size_t lanes>
inline T join_integers(typename VectorOf<T, lanes>::V x) {
    if constexpr (lanes == 2) {
        return static_cast<T>(Operation::combine(x[0], x[1]));
    } else {
        typename VectorOf<T, lanes / 2>::V halves[2];
        __builtin_memcpy(halves, &x, sizeof(x));
        return join_integers<Operation, T, lanes / 2>(Operation::combine(halves[0], halves[1]));
    }
}

template <class Lanes>
inline double sum_of_bytes(const i8 *cells, std::size_t length) {
    using Sums = ByteSums<Lanes>;
    using V = typename Sums::V;
    using Wide = typename VectorOf<std::int32_t, Sums::lanes>::V;
    constexpr std::size_t turn = 4 * Sums::lanes;
    constexpr std::size_t most_turns = 60;  // four vectors each, and three vectors more, are 243 bytes in a lane
    const auto vector = [](const i8 *at) { return __builtin_convertvector(vector_at<typename Sums::Bytes>(at), V); };
    std::int64_t total = 0;
    while (length >= Sums::lanes) {
        V sums[4] = {};
        const std::size_t turns = length / turn < most_turns ? length / turn : most_turns;
        for (std::size_t i = 0; i < turns; ++i, cells += turn) {
            for (std::size_t k = 0; k < 4; ++k) {
                sums[k] += vector(cells + k * Sums::lanes);
            }
        }
        length -= turns * turn;
        for (; length < turn && length >= Sums::lanes; length -= Sums::lanes, cells += Sums::lanes) {
            sums[0] += vector(cells);
        }
        const V sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        total += join_integers<reduction::Sum, std::int32_t, Sums::lanes>(__builtin_convertvector(sum, Wide));
    }
    for (; length > 0; --length, ++cells) {
        total += cells->value;
    }
    return static_cast<double>(total);
}

// Of at least as many as a vector of that size has.
template <class Operation, std::size_t size>
inline double extreme_in_vectors(const i8 *cells, std::size_t length) {
    using V = typename VectorOf<std::int8_t, size>::V;
    const auto vector = [&](std::size_t at) { return vector_at<V>(cells + at); };
    V first = vector(0);
    V second = vector(length - size);  // some of its cells may come twice
    std::size_t at = size;
    for (; at + 2 * size <= length; at += 2 * size) {
        first = Operation::combine(first, vector(at));
        second = Operation::combine(second, vector(at + size));
    }
    if (at + size <= length) {
        first = Operation::combine(first, vector(at));
    }
    return join_integers<Operation, std::int8_t, size>(Operation::combine(first, second));
}

template <class Lanes, class Operation>
inline double extreme_of_bytes(const i8 *cells, std::size_t length) {
    constexpr std::size_t size = sizeof(typename Lanes::Vector);
    constexpr std::size_t least = 16;
    if (length >= size) {
        return extreme_in_vectors<Operation, size>(cells, length);
    }
    if (length >= least) {
        return extreme_in_vectors<Operation, least>(cells, length);
    }
    std::int8_t extreme = cells->value;
    for (std::size_t i = 1; i < length; ++i) {
        extreme = Operation::combine(extreme, cells[i].value);
    }
    return extreme;
}

// Adds the cells of so many vectors of columns, from one of them on, but for the first ones, to the totals.
template <class Lanes, std::size_t vectors>
inline void add_columns_of_bytes(const Columns &call, std::size_t first, std::size_t without) {
    using Sums = ByteSums<Lanes>;
    using Part = typename VectorOf<std::int16_t, Lanes::lanes>::V;
    constexpr std::size_t most_rows = 256;
    constexpr std::size_t parts_of_all = vectors * Sums::lanes / Lanes::lanes;
    auto *const totals = static_cast<typename Lanes::Native *>(call.totals) + first;
    for (std::size_t begin = 0; begin < call.rows; begin += most_rows) {
        const std::size_t end = call.rows - begin > most_rows ? begin + most_rows : call.rows;
        typename Sums::V sums[vectors] = {};
        for (std::size_t i = begin; i < end; ++i) {
            const i8 *const cells = row<i8>(call.cells, call.stride_bytes, i) + first;
            for (std::size_t v = 0; v < vectors; ++v) {
                sums[v] +=
                    __builtin_convertvector(vector_at<typename Sums::Bytes>(cells + v * Sums::lanes), typename Sums::V);
            }
        }
        Part parts[parts_of_all];
        __builtin_memcpy(parts, sums, sizeof(sums));
        std::size_t part = without / Lanes::lanes;
        if (const std::size_t left_out = without % Lanes::lanes; left_out != 0) {
            for (std::size_t lane = 0; lane < left_out; ++lane) {
                parts[part][lane] = 0;
            }
        }
        for (; part < parts_of_all; ++part) {
            auto *const to = totals + part * Lanes::lanes;
            Lanes::store(to, Lanes::load(to) + __builtin_convertvector(parts[part], typename Lanes::Vector));
        }
    }
}

template <class Lanes>
inline void sum_columns_of_bytes(const Columns &columns) {
    constexpr std::size_t lanes = ByteSums<Lanes>::lanes;
    const Columns call = columns;  // a copy: what is written may be anything, but not this
    if (call.columns < lanes) {
        reduce_columns<Lanes, reduction::Sum, i8>(call);
        return;
    }
    std::size_t first = 0;
    for (; call.columns - first >= 2 * lanes; first += 2 * lanes) {
        add_columns_of_bytes<Lanes, 2>(call, first, 0);
    }
    for (; call.columns - first >= lanes; first += lanes) {
        add_columns_of_bytes<Lanes, 1>(call, first, 0);
    }
    if (first < call.columns) {
        add_columns_of_bytes<Lanes, 1>(call, call.columns - lanes, lanes - (call.columns - first));
    }
}

// Lanes: of floats, as the totals are. The rows become one, and that is combined with the totals.
template <class Lanes, class Operation>
inline void extreme_columns_of_bytes(const Columns &columns) {
    constexpr std::size_t size = sizeof(typename Lanes::Vector);
    using V = typename VectorOf<std::int8_t, size>::V;
    using Quick = typename Operation::Quick;
    const Columns call = columns;
    if (call.columns < size || call.rows < 2) {
        reduce_columns<Lanes, Operation, i8>(call);
        return;
    }
    const auto combine = [&](std::size_t first) {
        V extreme = vector_at<V>(row<i8>(call.cells, 0, 0) + first);
        for (std::size_t i = 1; i < call.rows; ++i) {
            extreme = Quick::combine(extreme, vector_at<V>(row<i8>(call.cells, call.stride_bytes, i) + first));
        }
        reduce_columns<Lanes, Operation, i8>(
            {&extreme, 0, 1, size, static_cast<typename Lanes::Native *>(call.totals) + first});
    };
    std::size_t first = 0;
    for (; call.columns - first >= size; first += size) {
        combine(first);
    }
    if (first < call.columns) {
        combine(call.columns - size);  // some of its columns a second time, which changes nothing
    }
}

// One number for each row.
template <class RowOf>
inline void each_row_of_bytes(const Rows &rows, const RowOf &number_of) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
        rows.out[i] = number_of(row<i8>(rows.cells, rows.stride_bytes, i), rows.length);
    }
}

}  // namespace
}  // namespace tenrex::kernels
