// Hamming distances of rows of a few words, which are shorter than a vector, and of several planes at a time, for which
// a word is read once: the processor counts the bits of a word.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/gathered/gathered-inl.h"
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

// What differs from each of some planes in a word or a byte.
template <class Word, std::size_t planes>
[[gnu::always_inline]] inline void count_differing(const char *row, const char *plane, std::size_t length,
                                                   std::uint64_t (&counts)[planes]) {
    Word x, y;
    __builtin_memcpy(&x, row, sizeof(x));
    for (std::size_t i = 0; i < planes; ++i) {
        __builtin_memcpy(&y, plane + i * length, sizeof(y));
        counts[i] += static_cast<std::uint64_t>(__builtin_popcountll(static_cast<Word>(x ^ y)));
    }
}

// With `words` rows have just so many.
template <std::size_t planes, std::size_t words>
inline void gathered_planes_of(const GatheredRows &gathered) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    const std::size_t length = words != 0 ? words * word : gathered.length;
    const char *const rows = static_cast<const char *>(gathered.rows);
    const char *const plane = static_cast<const char *>(gathered.row);
    const std::size_t ahead = rows_ahead(length, 1);
    fetch_rows(gathered, length, 0, ahead);
    for (std::size_t i = 0; i < gathered.count; ++i) {
        fetch_rows(gathered, length, i + ahead, i + ahead + 1);
        const char *const row = rows + gathered.numbers[i] * gathered.stride;
        std::uint64_t counts[planes] = {};
        std::size_t at = 0;
#pragma GCC unroll 16
        for (; length - at >= word; at += word) {
            count_differing<std::uint64_t>(row + at, plane + at, length, counts);
        }
        for (; at < length; ++at) {
            count_differing<std::uint8_t>(row + at, plane + at, length, counts);
        }
        std::uint64_t sum = 0;
        for (std::size_t bit = 0; bit < planes; ++bit) {
            sum += counts[bit] << bit;
        }
        gathered.out[i] = static_cast<float>(sum);
    }
}

template <std::size_t planes>
inline void gathered_planes(const GatheredRows &gathered) {
    switch (gathered.length) {
        case 32:
            gathered_planes_of<planes, 4>(gathered);
            break;
        case 48:
            gathered_planes_of<planes, 6>(gathered);
            break;
        case 64:
            gathered_planes_of<planes, 8>(gathered);
            break;
        case 96:
            gathered_planes_of<planes, 12>(gathered);
            break;
        case 128:
            gathered_planes_of<planes, 16>(gathered);
            break;
        default:
            gathered_planes_of<planes, 0>(gathered);
    }
}

}  // namespace
}  // namespace tenrex::kernels
