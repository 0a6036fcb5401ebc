// Hamming distances of rows of a few words, which are shorter than a vector: the processor counts the bits of a word.
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

}  // namespace
}  // namespace tenrex::kernels
