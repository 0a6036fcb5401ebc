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
    using Out = f32;
    static constexpr std::int32_t raise = raised;
};
template <class Vectors>
using PairProducts = ByteProducts<Vectors, std::int16_t, std::int16_t, 0>;
template <class Vectors>
using SignedFours = ByteProducts<Vectors, std::int8_t, std::int8_t, 0>;
// For instructions that take unsigned bytes of a.
template <class Vectors>
using UnsignedFours = ByteProducts<Vectors, std::uint8_t, std::int8_t, 128>;

// Behind each panel stands for every column the sum of its cells: raising all cells of a adds so many times that.
template <class S>
struct ByteSums {
    // Sums of 65536 products of 255 and 128 fit into 31 bits.
    static constexpr std::size_t words_in_segment = 65536 / cells_in_word<S> / S::words_in_chunk * S::words_in_chunk;

    static bool begins_at(std::size_t word) { return word % words_in_segment == 0; }
    void start(const i8 *, std::ptrdiff_t, std::ptrdiff_t, std::size_t rows, std::size_t) { height = rows; }

    // After the words before `to`.
    void empty(const i32 *sums, std::size_t count, std::size_t to, std::size_t words) {
        if (words > words_in_segment && (to == words || to % words_in_segment == 0)) {
            for (std::size_t i = 0; i < count; ++i) {
                totals[i] = sums[i].value + (to <= words_in_segment ? 0 : totals[i]);
            }
        }
    }

    void finish(WordTiles<S> &tiles, const i32 *b, std::size_t width, std::size_t words) const {
        const i32 *raised = b + words * width;
        for (std::size_t i = 0; i < height; ++i) {
            float *cells = tiles.cells + i * width;
            if (words > words_in_segment) {
                for (std::size_t j = 0; j < width; ++j) {
                    cells[j] =
                        static_cast<float>(totals[i * width + j] - static_cast<double>(S::raise) * raised[j].value);
                }
            } else {
                for (std::size_t j = 0; j < width; ++j) {
                    cells[j] = static_cast<float>(tiles.sums[i * width + j].value - S::raise * raised[j].value);
                }
            }
        }
    }

    std::size_t height = 0;
    double totals[S::rows * WordTiles<S>::panel];  // of the segments, if there are several
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
    pack_words<S>(call, 0, [](std::int32_t sum, std::int8_t cell) { return sum + cell; });
}

}  // namespace
}  // namespace tenrex::kernels
