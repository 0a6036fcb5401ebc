// Products of matrices of int8 cells: exact, then rounded to float.
#pragma once

#include "lib/kernels/matmul/words-inl.h"

namespace tenrex::kernels {
namespace {

inline constexpr std::size_t words_in_byte_chunk = 512;

// Vectors of words that hold cells of a and of b in one of three ways. Nothing saturates.
template <class Vectors, class PartOfWord, class PartOfWordOfB, std::int32_t raised>
struct ByteProducts : Vectors {
    using Row = i8;
    using Part = PartOfWord;
    using PartOfB = PartOfWordOfB;
    static constexpr std::int32_t raise = raised;
};
template <class Vectors>
using PairProducts = ByteProducts<Vectors, std::int16_t, std::int16_t, 0>;
template <class Vectors>
using SignedFours = ByteProducts<Vectors, std::int8_t, std::int8_t, 0>;
// For instructions that take unsigned bytes of one operand: of b, so that rows of a are read where they are.
template <class Vectors>
using UnsignedFours = ByteProducts<Vectors, std::int8_t, std::uint8_t, 128>;

// Raising all cells of b adds to the sums of a row so many times the sum of its cells.
template <class S>
struct ByteSums {
    static constexpr bool may_be_nan = false;
    // Sums of 65536 products of 255 and 128 fit into 31 bits.
    static constexpr std::size_t words_in_segment = 65536 / cells_in_word<S> / S::words_in_chunk * S::words_in_chunk;
    static constexpr std::size_t words_of_blocks = words_in_segment;

    static bool begins_at(std::size_t word) { return word % words_in_segment == 0; }
    static constexpr bool may_skip() { return true; }
    void start(const i8 *a, std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t rows, std::size_t cells) {
        if constexpr (S::raise != 0) {
            for (std::size_t i = 0; i < rows; ++i) {
                const i8 *row = a + static_cast<std::ptrdiff_t>(i) * a_row;
                std::int32_t sum = 0;
                if (a_k == 1) {
                    for (std::size_t j = 0; j < cells; ++j) {
                        sum += row[j].value;
                    }
                } else {
                    for (std::size_t j = 0; j < cells; ++j) {
                        sum += row[static_cast<std::ptrdiff_t>(j) * a_k].value;
                    }
                }
                of_row[i] = sum;
            }
        }
    }

    // After the words before `to`.
    void empty(const i32 *sums, std::size_t count, std::size_t to, std::size_t words) {
        if (words > words_in_segment && (to == words || to % words_in_segment == 0)) {
            for (std::size_t i = 0; i < count; ++i) {
                totals[i] = sums[i].value + (to <= words_in_segment ? 0 : totals[i]);
            }
        }
    }

    // Sums of segments become cells where the words were.
    void finish(i32 *sums, std::size_t rows, const i32 *, std::size_t width, std::size_t words) {
        are_cells = words > words_in_segment;
        for (std::size_t i = 0; are_cells && i < rows; ++i) {
            const double added = static_cast<double>(S::raise) * of_row[i];
            for (std::size_t j = i * width; j < (i + 1) * width; ++j) {
                sums[j].value = __builtin_bit_cast(std::int32_t, static_cast<float>(totals[j] - added));
            }
        }
    }
    // A vector of row i.
    template <class Lanes>
    typename Lanes::V cells(const i32 *sums, std::size_t i) const {
        typename Lanes::I words;
        __builtin_memcpy(&words, sums, sizeof(words));
        return are_cells ? Lanes::from_bits(words)
                         : __builtin_convertvector(words - S::raise * of_row[i], typename Lanes::V);
    }

    bool are_cells = false;
    std::int32_t of_row[S::rows_in_block] = {};           // zeros if nothing is raised
    double totals[S::rows_copied * WordTiles<S>::panel];  // of the segments, if there are several
};

template <class S>
inline void matmul_bytes(const Matmul &call) {
    matmul_words<S, ByteSums<S>>(call);
}
template <class S>
inline void matmul_reduce_bytes(const MatmulReduce &call) {
    matmul_reduce_words<S, ByteSums<S>>(call);
}
template <class S>
inline void pack_bytes(const Pack &call) {
    pack_words<S>(call, 0, [](std::int32_t nothing, std::int8_t) { return nothing; });
}

}  // namespace
}  // namespace tenrex::kernels
