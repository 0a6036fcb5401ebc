// Vectors of 256 bits: cells of any type loaded as floats, doubles or 16-bit integers, and their sums in a fixed order.
#pragma once

#include <immintrin.h>

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

// Fewer than 16 bytes with zeros behind them.
inline __m128i load_bytes(const void *first, std::size_t count) {
    const char *bytes = static_cast<const char *>(first);
    const std::uint64_t low = load_bytes_up_to_8(bytes, count);
    const std::uint64_t high = count > 8 ? load_bytes_up_to_8(bytes + 8, count - 8) : 0;
    return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

// Lanes of all ones below `count`.
inline __m256i first_words(std::size_t count) {
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), index);
}
inline __m256i first_quadwords(std::size_t count) {
    const __m256i index = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)), index);
}

struct Floats {
    using Vector = __m256;
    using Sum = float;
    using Native = f32;
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t rows_at_once = 2;  // with four sums each, as many as 16 registers hold
    static constexpr std::size_t block = 0;

    static Vector zero() { return _mm256_setzero_ps(); }
    static Vector add(Vector x, Vector y) { return _mm256_add_ps(x, y); }
    static Vector subtract(Vector x, Vector y) { return _mm256_sub_ps(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_fmadd_ps(x, y, z); }
    static Vector magnitude(Vector x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x); }

    static Vector load(const f32 *cells) { return _mm256_loadu_ps(reinterpret_cast<const float *>(cells)); }
    static Vector load(const bf16 *cells) {
        return widen_bf16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(cells)));
    }
    static Vector load(const i8 *cells) { return widen_i8(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(cells))); }
    static Vector load(const f32 *cells, std::size_t count) {
        return _mm256_maskload_ps(reinterpret_cast<const float *>(cells), first_words(count));
    }
    static Vector load(const bf16 *cells, std::size_t count) { return widen_bf16(load_bytes(cells, 2 * count)); }
    static Vector load(const i8 *cells, std::size_t count) { return widen_i8(load_bytes(cells, count)); }
    static Vector broadcast(const f32 *cell) {
        return _mm256_set1_ps(load_as<float>(reinterpret_cast<const char *>(cell)));
    }
    static void store(f32 *cells, Vector x) { _mm256_storeu_ps(reinterpret_cast<float *>(cells), x); }
    static void store(f32 *cells, Vector x, std::size_t count) {
        _mm256_maskstore_ps(reinterpret_cast<float *>(cells), first_words(count), x);
    }

    // The larger or smaller of two; of a NaN and something else the other.
    static Vector larger(Vector x, Vector y) {
        return _mm256_blendv_ps(_mm256_max_ps(y, x), y, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    }
    static Vector smaller(Vector x, Vector y) {
        return _mm256_blendv_ps(_mm256_min_ps(y, x), y, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    }

    // Halves are added until one lane is left.
    template <std::size_t n>
    static void sum(const Vector (&rows)[n], float *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            const __m128 halves = _mm_add_ps(_mm256_castps256_ps128(rows[i]), _mm256_extractf128_ps(rows[i], 1));
            const __m128 pairs = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
            totals[i] = _mm_cvtss_f32(_mm_add_ss(pairs, _mm_movehdup_ps(pairs)));
        }
    }

private:
    static Vector widen_bf16(__m128i cells) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(cells), 16));
    }
    static Vector widen_i8(__m128i cells) { return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(cells)); }
};

struct Doubles {
    using Vector = __m256d;
    using Sum = double;
    using Native = f64;
    static constexpr std::size_t lanes = 4;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 0;

    static Vector zero() { return _mm256_setzero_pd(); }
    static Vector add(Vector x, Vector y) { return _mm256_add_pd(x, y); }
    static Vector subtract(Vector x, Vector y) { return _mm256_sub_pd(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_fmadd_pd(x, y, z); }
    static Vector magnitude(Vector x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }

    static Vector load(const f64 *cells) { return _mm256_loadu_pd(reinterpret_cast<const double *>(cells)); }
    static Vector load(const f32 *cells) {
        return _mm256_cvtps_pd(_mm_loadu_ps(reinterpret_cast<const float *>(cells)));
    }
    static Vector load(const bf16 *cells) {
        return widen_bf16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(cells)));
    }
    static Vector load(const i8 *cells) { return widen_i8(_mm_loadu_si32(cells)); }
    static Vector load(const f64 *cells, std::size_t count) {
        return _mm256_maskload_pd(reinterpret_cast<const double *>(cells), first_quadwords(count));
    }
    static Vector load(const f32 *cells, std::size_t count) {
        const __m128i mask = _mm256_castsi256_si128(first_words(count));
        return _mm256_cvtps_pd(_mm_maskload_ps(reinterpret_cast<const float *>(cells), mask));
    }
    static Vector load(const bf16 *cells, std::size_t count) { return widen_bf16(load_bytes(cells, 2 * count)); }
    static Vector load(const i8 *cells, std::size_t count) { return widen_i8(load_bytes(cells, count)); }
    static Vector broadcast(const f64 *cell) {
        return _mm256_set1_pd(load_as<double>(reinterpret_cast<const char *>(cell)));
    }
    static void store(f64 *cells, Vector x) { _mm256_storeu_pd(reinterpret_cast<double *>(cells), x); }
    static void store(f64 *cells, Vector x, std::size_t count) {
        _mm256_maskstore_pd(reinterpret_cast<double *>(cells), first_quadwords(count), x);
    }

    static Vector larger(Vector x, Vector y) {
        return _mm256_blendv_pd(_mm256_max_pd(y, x), y, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    }
    static Vector smaller(Vector x, Vector y) {
        return _mm256_blendv_pd(_mm256_min_pd(y, x), y, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], double *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            const __m128d pairs = _mm_add_pd(_mm256_castpd256_pd128(rows[i]), _mm256_extractf128_pd(rows[i], 1));
            totals[i] = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
        }
    }

private:
    static Vector widen_bf16(__m128i cells) {
        return _mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(_mm_cvtepu16_epi32(cells), 16)));
    }
    static Vector widen_i8(__m128i cells) { return _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(cells)); }
};

// Sums of 32-bit integers, for the steps below and for others that count.
struct Integers {
    using Vector = __m256i;
    using Sum = std::int32_t;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 32768;  // squares of differences of int8 cells reach 65025

    static Vector zero() { return _mm256_setzero_si256(); }
    static Vector add(Vector x, Vector y) { return _mm256_add_epi32(x, y); }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], std::int32_t *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            const __m128i halves = _mm_add_epi32(_mm256_castsi256_si128(rows[i]), _mm256_extracti128_si256(rows[i], 1));
            const __m128i pairs = _mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0x4E));
            totals[i] = _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, 0xB1)));
        }
    }
};

// int8 cells as 16-bit integers, products summed as 32-bit integers: exact.
struct Shorts : Integers {
    using Native = void;
    static constexpr std::size_t lanes = 16;

    static Vector subtract(Vector x, Vector y) { return _mm256_sub_epi16(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return add(_mm256_madd_epi16(x, y), z); }

    static Vector load(const i8 *cells) {
        return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(cells)));
    }
    static Vector load(const i8 *cells, std::size_t count) { return _mm256_cvtepi8_epi16(load_bytes(cells, count)); }
};

// Words that hold two 16-bit integers each.
struct Pairs : Integers {
    using Native = i32;
    static constexpr std::size_t lanes = 8;

    static Vector load(const i32 *words) { return _mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(words)); }
    static Vector broadcast(const i32 *word) { return _mm256_set1_epi32(word->value); }
    static void store(i32 *words, Vector x) { _mm256_storeu_si256(reinterpret_cast<__m256i_u *>(words), x); }
    static Vector multiply_add(Vector x, Vector y, Vector z) {
        Vector sum = add(_mm256_madd_epi16(x, y), z);
        __asm__("" : "+x"(sum));  // or GCC 12 keeps a copy of each sum of a tile in memory
        return sum;
    }
};

// int8 cells, or bytes of bits, as they are.
struct Bytes : Integers {
    using Native = i8;
    static constexpr std::size_t lanes = 32;

    static Vector load(const i8 *cells) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(cells)); }
    static Vector load(const i8 *cells, std::size_t count) {
        if (count < 16) {
            return _mm256_zextsi128_si256(load_bytes(cells, count));
        }
        const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i *>(cells));
        return _mm256_setr_m128i(low, load_bytes(cells + 16, count - 16));
    }
};

}  // namespace
}  // namespace tenrex::kernels
