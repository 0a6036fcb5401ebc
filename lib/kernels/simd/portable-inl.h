// What the vectors of the target `baseline` take from instruction sets: SSE2 on x86-64, plain code elsewhere.
#pragma once

#include "lib/kernels/simd/vectors128-inl.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tenrex::kernels {
namespace {

struct FloatInstructions {
    static Float4 multiply_add(Float4 x, Float4 y, Float4 z) { return x * y + z; }

    static Float4 load(const bf16 *cells, std::size_t count = 4) {
        const Half8 halves = load_low_lanes<Half8>(cells, count);
        const Half8 twice = __builtin_shufflevector(halves, halves, 0, 0, 1, 1, 2, 2, 3, 3);
        return __builtin_bit_cast(Float4, __builtin_bit_cast(Word4, twice) & 0xFFFF0000U);
    }
    static Float4 load(const i8 *cells, std::size_t count = 4) {
        const Byte16 bytes = load_low_lanes<Byte16>(cells, count);
        const Byte16 twice = __builtin_shufflevector(bytes, bytes, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        const Half8 pairs = __builtin_bit_cast(Half8, twice);
        const Half8 fours = __builtin_shufflevector(pairs, pairs, 0, 0, 1, 1, 2, 2, 3, 3);
        return __builtin_convertvector(__builtin_bit_cast(Int4, fours) >> 24, Float4);
    }
};

struct DoubleInstructions {
    static Double2 multiply_add(Double2 x, Double2 y, Double2 z) { return x * y + z; }

    static Double2 load(const f32 *cells, std::size_t count = 2) {
        return Double2{cells[0].value, count > 1 ? cells[1].value : 0.0F};
    }
    static Double2 load(const bf16 *cells, std::size_t count = 2) {
        return Double2{widen(cells[0]), count > 1 ? widen(cells[1]) : 0.0F};
    }
    static Double2 load(const i8 *cells, std::size_t count = 2) {
        return Double2{static_cast<double>(cells[0].value), count > 1 ? static_cast<double>(cells[1].value) : 0.0};
    }

private:
    static float widen(bf16 cell) { return __builtin_bit_cast(float, std::uint32_t{cell.value} << 16); }
};

// Two neighbouring products are added to each lane.
struct ShortInstructions {
    static Int4 multiply_add(Short8 x, Short8 y, Int4 z) {
#if defined(__SSE2__)
        return z +
               __builtin_bit_cast(Int4, _mm_madd_epi16(__builtin_bit_cast(__m128i, x), __builtin_bit_cast(__m128i, y)));
#else
        const Int4 x_pairs = __builtin_bit_cast(Int4, x);
        const Int4 y_pairs = __builtin_bit_cast(Int4, y);
        return z + ((x_pairs << 16) >> 16) * ((y_pairs << 16) >> 16) + (x_pairs >> 16) * (y_pairs >> 16);
#endif
    }

    static Short8 load(const i8 *cells, std::size_t count = 8) {
        const Byte16 bytes = load_low_lanes<Byte16>(cells, count);
        const Byte16 twice = __builtin_shufflevector(bytes, bytes, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        return __builtin_bit_cast(Short8, twice) >> 8;
    }
};

struct PairInstructions {
    static Int4 broadcast(const i32 *word) { return Int4{word->value, word->value, word->value, word->value}; }
    static Int4 multiply_add(Int4 x, Int4 y, Int4 z) {
        return ShortInstructions::multiply_add(__builtin_bit_cast(Short8, x), __builtin_bit_cast(Short8, y), z);
    }
};

}  // namespace
}  // namespace tenrex::kernels
