// Tiles of bfloat16 cells, in vectors of 512 bits, with the instruction that multiplies pairs of them.
#pragma once

#include <immintrin.h>

#include "lib/kernels/matmul/words-inl.h"

namespace tenrex::kernels {
namespace {

// Words that hold two cells each, and sums of their products: those of the upper halves come first.
struct HalfProducts {
    using Native = i32;
    using Vector = __m512;
    using Row = bf16;
    using Part = std::uint16_t;
    using PartOfB = std::uint16_t;
    static constexpr std::size_t lanes = 16;
    static constexpr std::uint16_t raise = 0;

    static Vector zero() { return _mm512_setzero_ps(); }
    static Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
    static Vector load(const i32 *words) { return _mm512_loadu_ps(words); }
    static Vector broadcast(const i32 *word) { return _mm512_castsi512_ps(_mm512_set1_epi32(word->value)); }
    static void store(i32 *words, Vector x) { _mm512_storeu_ps(words, x); }
    static Vector multiply_add(Vector x, Vector y, Vector z) {
        return _mm512_dpbf16_ps(z, __builtin_bit_cast(__m512bh, x), __builtin_bit_cast(__m512bh, y));
    }
};
// 256 cells at a time, as in products of float cells: their sums are one chain.
using PairTiles = WordShape<HalfProducts, 128, 14, 14>;

}  // namespace
}  // namespace tenrex::kernels
