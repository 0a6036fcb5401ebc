// Products of matrices of bfloat16 cells with the instructions for them, which take denormal numbers for zeros, as
// factors and as results. Nothing else is rounded differently: products of two cells are exact in float. So what they
// give is right where no denormal number can occur:
//
//   If all cells of a row but zeros are multiples of 2^p and all of a column are multiples of 2^q, all products and
//   sums are multiples of 2^(p+q), rounded or not. None but zero is denormal if p+q is above -126.
//
// Whatever else a row and a column hold, their cell of the product is computed in float arithmetic. That is seldom: no
// weight of 2^-24, say, is too small beside any cell from 2^-87 on.
#pragma once

#include <immintrin.h>

#include "lib/kernels/matmul/words-inl.h"

namespace tenrex::kernels {
namespace {

// The exponent, as it is stored, of the least cell but zeros of a row or of a column.
inline constexpr std::int32_t of_zeros = 512;      // beyond all others
inline constexpr std::int32_t of_denormal = -512;  // below the sum with any other
// A cell with exponent e is a multiple of 2^(e - 127 - 7): two of them have the sum 143 if their product is one of
// 2^-125. One less would do, but whether 2^-126 itself is kept is not something to rely on.
inline constexpr std::int32_t least_sum_of_exponents = 143;
inline constexpr std::uint16_t infinite_half = 0x7F80;

inline std::int32_t exponent_of(std::uint16_t magnitude) {
    return magnitude == 0 ? of_zeros : magnitude < 0x80 ? of_denormal : magnitude >> 7;
}

// Behind each panel stands for every column its least exponent.
template <class S>
struct HalfSums {
    static_assert(S::lanes == 16);
    static constexpr bool may_be_nan = true;
    static constexpr std::size_t cells_in_chain = 256;
    static constexpr std::size_t words_of_blocks = ~std::size_t{0};

    static bool begins_at(std::size_t word) { return word == 0; }
    void empty(const i32 *, std::size_t, std::size_t, std::size_t) {}

    void start(const bf16 *first, std::ptrdiff_t row, std::ptrdiff_t k, std::size_t rows, std::size_t cells) {
        a = first;
        a_row = row;
        a_k = k;
        length = cells;
        least_of_rows = of_zeros;
        are_finite = true;
        for (std::size_t i = 0; i < rows; ++i) {
            Magnitudes<std::uint16_t> magnitudes;
            magnitudes.add(first + static_cast<std::ptrdiff_t>(i) * row, k, cells);
            of_row[i] = exponent_of(static_cast<std::uint16_t>(magnitudes.least + 1));
            least_of_rows = of_row[i] < least_of_rows ? of_row[i] : least_of_rows;
            are_finite &= magnitudes.largest < infinite_half;
        }
    }
    // No sum that counts is rounded to zero, and cells that are computed in float are those of all blocks.
    bool may_skip() const { return are_finite; }

    void finish(i32 *sums, std::size_t rows, const i32 *b, std::size_t width, std::size_t words) const {
        const i32 *of_columns = b + words * width;
        __m512i least = _mm512_set1_epi32(of_zeros);
        for (std::size_t v = 0; v < width; v += S::lanes) {
            least = _mm512_min_epi32(least, _mm512_loadu_si512(of_columns + v));
        }
        if (least_of_rows + _mm512_reduce_min_epi32(least) >= least_sum_of_exponents) {
            return;
        }
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t v = 0; v < width; v += S::lanes) {
                const __m512i exponents =
                    _mm512_add_epi32(_mm512_loadu_si512(of_columns + v), _mm512_set1_epi32(of_row[i]));
                const __mmask16 wrong = _mm512_cmplt_epi32_mask(exponents, _mm512_set1_epi32(least_sum_of_exponents));
                if (wrong != 0) {
                    _mm512_mask_storeu_ps(sums + i * width + v, wrong, in_floats(i, b + v, width));
                }
            }
        }
    }

    // A vector of a row.
    template <class Lanes>
    typename Lanes::V cells(const i32 *sums, std::size_t) const {
        return Lanes::load(reinterpret_cast<const char *>(sums));
    }

    // Row i by the columns of a vector: chains of fused additions, as in products of float cells.
    __m512 in_floats(std::size_t i, const i32 *words, std::size_t width) const {
        const bf16 *from = a + static_cast<std::ptrdiff_t>(i) * a_row;
        __m512 total = _mm512_setzero_ps();
        for (std::size_t begin = 0; begin < length; begin += cells_in_chain) {
            const std::size_t end = smaller_of(begin + cells_in_chain, length);
            __m512 sum = _mm512_setzero_ps();
            for (std::size_t j = begin; j < end; ++j) {
                const __m512i pairs = _mm512_loadu_si512(words + j / 2 * width);
                const __m512i column =
                    j % 2 == 0 ? _mm512_slli_epi32(pairs, 16) : _mm512_and_si512(pairs, _mm512_set1_epi32(-65536));
                const auto cell =
                    static_cast<std::int32_t>(std::uint32_t{from[static_cast<std::ptrdiff_t>(j) * a_k].value} << 16);
                sum = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_set1_epi32(cell)), _mm512_castsi512_ps(column), sum);
            }
            total = _mm512_add_ps(total, sum);
        }
        return total;
    }

    const bf16 *a = nullptr;
    std::ptrdiff_t a_row = 0, a_k = 0;
    std::size_t length = 0;
    std::int32_t of_row[S::rows_in_block] = {};
    std::int32_t least_of_rows = of_zeros;
    bool are_finite = true;
};

template <class S>
inline void matmul_halves(const Matmul &call) {
    matmul_words<S, HalfSums<S>>(call);
}
template <class S>
inline void matmul_reduce_halves(const MatmulReduce &call) {
    matmul_reduce_words<S, HalfSums<S>>(call);
}
template <class S>
inline void pack_halves(const Pack &call) {
    pack_words<S>(call, of_zeros, [](std::int32_t least, std::uint16_t cell) {
        const std::int32_t next = exponent_of(cell & 0x7FFF);
        return next < least ? next : least;
    });
}

}  // namespace
}  // namespace tenrex::kernels
