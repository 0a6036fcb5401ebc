// Hamming distances of rows of a few words, which are no longer than a vector: of rows that lie one after the other and
// one that they share, vectors are counted, else words.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/row_pairs/row_pairs.h"

namespace tenrex::kernels {
namespace {

template <std::size_t words>
inline void hamming_of_words(const RowPairs &pairs) {
    double *const out = static_cast<double *>(pairs.out);
    const char *a = static_cast<const char *>(pairs.a);
    const char *b = static_cast<const char *>(pairs.b);
    for (std::size_t row = 0; row < pairs.rows; ++row, a += pairs.a_stride, b += pairs.b_stride) {
        int bits = 0;
        for (std::size_t i = 0; i < words; ++i) {
            std::uint64_t x, y;
            __builtin_memcpy(&x, a + i * sizeof(x), sizeof(x));
            __builtin_memcpy(&y, b + i * sizeof(y), sizeof(y));
            bits += __builtin_popcountll(x ^ y);
        }
        out[row] = bits;
    }
}

// Whether the rows were that short, and are done.
inline bool hamming_of_short_rows(const RowPairs &pairs) {
    switch (pairs.length) {
        case 8:
            hamming_of_words<1>(pairs);
            return true;
        case 16:
            hamming_of_words<2>(pairs);
            return true;
        case 24:
            hamming_of_words<3>(pairs);
            return true;
        case 32:
            hamming_of_words<4>(pairs);
            return true;
        default:
            return false;
    }
}

// Of a shared row and as many rows without gaps as are whole turns of `Counter`. Returns how many rows that are.
template <class Counter, std::size_t words>
inline std::size_t hamming_of_vectors(const void *row, const void *rows, std::size_t count, double *out) {
    constexpr std::size_t numbers_of_vector = sizeof(typename Counter::Vector) / sizeof(std::uint64_t);
    std::uint64_t numbers[numbers_of_vector];
    for (std::size_t i = 0; i < numbers_of_vector; i += words) {
        __builtin_memcpy(numbers + i, row, words * sizeof(numbers[0]));
    }
    typename Counter::Vector shared;
    __builtin_memcpy(&shared, numbers, sizeof(shared));
    const char *at = static_cast<const char *>(rows);
    std::size_t done = 0;
    for (; count - done >= Counter::rows_at_once; done += Counter::rows_at_once) {
        Counter::template count<words>(shared, at, out + done);
        at += Counter::rows_at_once * words * sizeof(numbers[0]);
    }
    return done;
}

// How many rows from the first on are done in vectors.
template <class Counter>
inline std::size_t hamming_of_vectors(const RowPairs &pairs) {
    const bool shares_a = pairs.a_stride == 0;
    const void *row = shares_a ? pairs.a : pairs.b;
    const void *rows = shares_a ? pairs.b : pairs.a;
    const std::ptrdiff_t stride = shares_a ? pairs.b_stride : pairs.a_stride;
    const bool follow = stride == static_cast<std::ptrdiff_t>(pairs.length) && (shares_a || pairs.b_stride == 0);
    if (!follow || pairs.rows < Counter::rows_at_once) {
        return 0;
    }
    double *const out = static_cast<double *>(pairs.out);
    switch (pairs.length) {
        case 8:
            return hamming_of_vectors<Counter, 1>(row, rows, pairs.rows, out);
        case 16:
            return hamming_of_vectors<Counter, 2>(row, rows, pairs.rows, out);
        case 32:
            return hamming_of_vectors<Counter, 4>(row, rows, pairs.rows, out);
        default:
            return 0;
    }
}

// Whether the rows were that short, and are done.
template <class Counter>
inline bool hamming_of_short_rows_in_vectors(const RowPairs &pairs) {
    const std::size_t done = hamming_of_vectors<Counter>(pairs);
    RowPairs left = pairs;
    left.a = row<char>(pairs.a, pairs.a_stride, done);
    left.b = row<char>(pairs.b, pairs.b_stride, done);
    left.rows -= done;
    left.out = static_cast<double *>(pairs.out) + done;
    return hamming_of_short_rows(left);
}

}  // namespace
}  // namespace tenrex::kernels
