// Vectors of 512 bits: cells of any type loaded as floats, doubles or 16-bit integers, and their sums in a fixed order.
#pragma once

#include <immintrin.h>

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

inline __mmask64 first_lanes(std::size_t count) {
    return (std::uint64_t{1} << count) - 1;
}

struct Floats {
    using Vector = __m512;
    using Sum = float;
    using Native = f32;
    static constexpr std::size_t lanes = 16;
    static constexpr std::size_t rows_at_once = 4;
    static constexpr std::size_t block = 0;

    static Vector zero() { return _mm512_setzero_ps(); }
    static Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
    static Vector subtract(Vector x, Vector y) { return _mm512_sub_ps(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_fmadd_ps(x, y, z); }
    static Vector magnitude(Vector x) { return _mm512_abs_ps(x); }

    static Vector load(const f32 *cells) { return _mm512_loadu_ps(cells); }
    static Vector load(const bf16 *cells) { return widen_bf16(_mm256_loadu_epi16(cells)); }
    static Vector load(const i8 *cells) { return widen_i8(_mm_loadu_epi8(cells)); }
    static Vector load(const f32 *cells, std::size_t count) { return _mm512_maskz_loadu_ps(mask(count), cells); }
    static Vector load(const bf16 *cells, std::size_t count) {
        return widen_bf16(_mm256_maskz_loadu_epi16(mask(count), cells));
    }
    static Vector load(const i8 *cells, std::size_t count) {
        return widen_i8(_mm_maskz_loadu_epi8(mask(count), cells));
    }
    static Vector broadcast(const f32 *cell) { return _mm512_set1_ps(cell->value); }
    static void store(f32 *cells, Vector x) { _mm512_storeu_ps(cells, x); }
    static void store(f32 *cells, Vector x, std::size_t count) { _mm512_mask_storeu_ps(cells, mask(count), x); }

    // The larger or smaller of two; of a NaN and something else the other.
    static Vector larger(Vector x, Vector y) {
        return _mm512_mask_mov_ps(_mm512_max_ps(y, x), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), y);
    }
    static Vector smaller(Vector x, Vector y) {
        return _mm512_mask_mov_ps(_mm512_min_ps(y, x), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), y);
    }

    // Both forms add halves until one lane is left, so that a row's total does not depend on its company.
    static void sum(const Vector (&rows)[1], float *totals) {
        const __m256 halves = _mm256_add_ps(_mm512_castps512_ps256(rows[0]), _mm512_extractf32x8_ps(rows[0], 1));
        const __m128 quarters = _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1));
        const __m128 pairs = _mm_add_ps(quarters, _mm_movehl_ps(quarters, quarters));
        *totals = _mm_cvtss_f32(_mm_add_ss(pairs, _mm_movehdup_ps(pairs)));
    }
    static void sum(const Vector (&rows)[4], float *totals) {
        const __m512 halves01 = add(_mm512_shuffle_f32x4(rows[0], rows[1], 0x44),   // low halves of both
                                    _mm512_shuffle_f32x4(rows[0], rows[1], 0xEE));  // high halves
        const __m512 halves23 =
            add(_mm512_shuffle_f32x4(rows[2], rows[3], 0x44), _mm512_shuffle_f32x4(rows[2], rows[3], 0xEE));
        const __m512 quarters =
            add(_mm512_shuffle_f32x4(halves01, halves23, 0x88), _mm512_shuffle_f32x4(halves01, halves23, 0xDD));
        const __m512 pairs = add(quarters, _mm512_permute_ps(quarters, 0x4E));
        const __m512 all = add(pairs, _mm512_permute_ps(pairs, 0xB1));
        _mm_storeu_ps(totals, _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, all)));
    }

private:
    static __mmask16 mask(std::size_t count) { return static_cast<__mmask16>(first_lanes(count)); }
    static Vector widen_bf16(__m256i cells) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(cells), 16));
    }
    static Vector widen_i8(__m128i cells) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(cells)); }
};

struct Doubles {
    using Vector = __m512d;
    using Sum = double;
    using Native = f64;
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t rows_at_once = 4;
    static constexpr std::size_t block = 0;

    static Vector zero() { return _mm512_setzero_pd(); }
    static Vector add(Vector x, Vector y) { return _mm512_add_pd(x, y); }
    static Vector subtract(Vector x, Vector y) { return _mm512_sub_pd(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_fmadd_pd(x, y, z); }
    static Vector magnitude(Vector x) { return _mm512_abs_pd(x); }

    static Vector load(const f64 *cells) { return _mm512_loadu_pd(cells); }
    static Vector load(const f32 *cells) {
        __m256 floats;
        __builtin_memcpy(&floats, cells, sizeof(floats));
        return _mm512_cvtps_pd(floats);
    }
    static Vector load(const bf16 *cells) { return widen_bf16(_mm_loadu_epi16(cells)); }
    static Vector load(const i8 *cells) { return widen_i8(_mm_loadu_si64(cells)); }
    static Vector load(const f64 *cells, std::size_t count) { return _mm512_maskz_loadu_pd(mask(count), cells); }
    static Vector load(const f32 *cells, std::size_t count) {
        return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask(count), cells));
    }
    static Vector load(const bf16 *cells, std::size_t count) {
        return widen_bf16(_mm_maskz_loadu_epi16(mask(count), cells));
    }
    static Vector load(const i8 *cells, std::size_t count) {
        return widen_i8(_mm_maskz_loadu_epi8(mask(count), cells));
    }
    static Vector broadcast(const f64 *cell) { return _mm512_set1_pd(cell->value); }
    static void store(f64 *cells, Vector x) { _mm512_storeu_pd(cells, x); }
    static void store(f64 *cells, Vector x, std::size_t count) { _mm512_mask_storeu_pd(cells, mask(count), x); }

    static Vector larger(Vector x, Vector y) {
        return _mm512_mask_mov_pd(_mm512_max_pd(y, x), _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q), y);
    }
    static Vector smaller(Vector x, Vector y) {
        return _mm512_mask_mov_pd(_mm512_min_pd(y, x), _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q), y);
    }

    static void sum(const Vector (&rows)[1], double *totals) {
        const __m256d halves = _mm256_add_pd(_mm512_castpd512_pd256(rows[0]), _mm512_extractf64x4_pd(rows[0], 1));
        const __m128d pairs = _mm_add_pd(_mm256_castpd256_pd128(halves), _mm256_extractf128_pd(halves, 1));
        *totals = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
    }
    static void sum(const Vector (&rows)[4], double *totals) {
        const __m512d halves01 =
            add(_mm512_shuffle_f64x2(rows[0], rows[1], 0x44), _mm512_shuffle_f64x2(rows[0], rows[1], 0xEE));
        const __m512d halves23 =
            add(_mm512_shuffle_f64x2(rows[2], rows[3], 0x44), _mm512_shuffle_f64x2(rows[2], rows[3], 0xEE));
        const __m512d pairs =
            add(_mm512_shuffle_f64x2(halves01, halves23, 0x88), _mm512_shuffle_f64x2(halves01, halves23, 0xDD));
        const __m512d all = add(pairs, _mm512_permute_pd(pairs, 0x55));
        _mm256_storeu_pd(totals, _mm512_castpd512_pd256(_mm512_maskz_compress_pd(0x55, all)));
    }

private:
    static __mmask8 mask(std::size_t count) { return static_cast<__mmask8>(first_lanes(count)); }
    static Vector widen_bf16(__m128i cells) {
        return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(cells), 16)));
    }
    static Vector widen_i8(__m128i cells) { return _mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(cells)); }
};

// The same as two halves, for sums and products of float cells: the halves are widened faster, and the units that
// multiply do the additions.
struct HalvesOfDoubles {
    struct Vector {
        __m256d low, high;

        friend Vector operator+(Vector x, Vector y) {
            const __m256d one = _mm256_set1_pd(1);
            return {_mm256_fmadd_pd(y.low, one, x.low), _mm256_fmadd_pd(y.high, one, x.high)};
        }
        friend Vector operator*(Vector x, Vector y) {
            return {_mm256_mul_pd(x.low, y.low), _mm256_mul_pd(x.high, y.high)};
        }
        friend Vector operator-(double x, Vector y) {
            return {_mm256_sub_pd(_mm256_set1_pd(x), y.low), _mm256_sub_pd(_mm256_set1_pd(x), y.high)};
        }
    };
    using Sum = double;
    using Native = f64;
    static constexpr std::size_t lanes = 8;

    static Vector zero() { return {_mm256_setzero_pd(), _mm256_setzero_pd()}; }
    static Vector multiply_add(Vector x, Vector y, Vector z) {
        return {_mm256_fmadd_pd(x.low, y.low, z.low), _mm256_fmadd_pd(x.high, y.high, z.high)};
    }
    static Vector broadcast(const f64 *cell) { return {_mm256_set1_pd(cell->value), _mm256_set1_pd(cell->value)}; }
    static Vector load(const f64 *cells) { return halves(Doubles::load(cells)); }
    static Vector load(const f64 *cells, std::size_t count) { return halves(Doubles::load(cells, count)); }
    static Vector load(const f32 *cells) { return {widen(cells), widen(cells + 4)}; }
    static Vector load(const f32 *cells, std::size_t count) { return halves(Doubles::load(cells, count)); }
    static void store(f64 *cells, Vector x) { Doubles::store(cells, whole(x)); }
    static void store(f64 *cells, Vector x, std::size_t count) { Doubles::store(cells, whole(x), count); }

private:
    static __m256d widen(const f32 *cells) {
        __m128 floats;
        __builtin_memcpy(&floats, cells, sizeof(floats));
        return _mm256_cvtps_pd(floats);
    }
    static __m512d whole(Vector x) { return _mm512_insertf64x4(_mm512_castpd256_pd512(x.low), x.high, 1); }
    static Vector halves(__m512d x) { return {_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1)}; }
};

// Sums of 32-bit integers, for the steps below and for others that count.
struct Integers {
    using Vector = __m512i;
    using Sum = std::int32_t;
    static constexpr std::size_t rows_at_once = 4;
    static constexpr std::size_t block = 32768;  // squares of differences of int8 cells reach 65025

    static Vector zero() { return _mm512_setzero_si512(); }
    static Vector add(Vector x, Vector y) { return _mm512_add_epi32(x, y); }

    static void sum(const Vector (&rows)[1], std::int32_t *totals) { *totals = _mm512_reduce_add_epi32(rows[0]); }
    static void sum(const Vector (&rows)[4], std::int32_t *totals) {
        const __m512i halves01 =
            add(_mm512_shuffle_i32x4(rows[0], rows[1], 0x44), _mm512_shuffle_i32x4(rows[0], rows[1], 0xEE));
        const __m512i halves23 =
            add(_mm512_shuffle_i32x4(rows[2], rows[3], 0x44), _mm512_shuffle_i32x4(rows[2], rows[3], 0xEE));
        const __m512i quarters =
            add(_mm512_shuffle_i32x4(halves01, halves23, 0x88), _mm512_shuffle_i32x4(halves01, halves23, 0xDD));
        const __m512i pairs = add(quarters, _mm512_shuffle_epi32(quarters, _MM_PERM_BADC));
        const __m512i all = add(pairs, _mm512_shuffle_epi32(pairs, _MM_PERM_CDAB));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(totals),
                         _mm512_castsi512_si128(_mm512_maskz_compress_epi32(0x1111, all)));
    }
};

// int8 cells as 16-bit integers, products summed as 32-bit integers: exact.
struct Shorts : Integers {
    using Native = void;
    static constexpr std::size_t lanes = 32;

    static Vector subtract(Vector x, Vector y) { return _mm512_sub_epi16(x, y); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return add(_mm512_madd_epi16(x, y), z); }

    static Vector load(const i8 *cells) { return _mm512_cvtepi8_epi16(_mm256_loadu_epi8(cells)); }
    static Vector load(const i8 *cells, std::size_t count) {
        return _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(static_cast<__mmask32>(first_lanes(count)), cells));
    }
};

// Words that hold two 16-bit integers each.
struct Pairs : Integers {
    using Native = i32;
    static constexpr std::size_t lanes = 16;

    static Vector load(const i32 *words) { return _mm512_loadu_si512(words); }
    static Vector broadcast(const i32 *word) { return _mm512_set1_epi32(word->value); }
    static void store(i32 *words, Vector x) { _mm512_storeu_si512(words, x); }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return add(_mm512_madd_epi16(x, y), z); }
};

// int8 cells, or bytes of bits, as they are.
struct Bytes : Integers {
    using Native = i8;
    static constexpr std::size_t lanes = 64;

    static Vector load(const i8 *cells) { return _mm512_loadu_si512(cells); }
    static Vector load(const i8 *cells, std::size_t count) {
        return _mm512_maskz_loadu_epi8(first_lanes(count), cells);
    }
};

}  // namespace
}  // namespace tenrex::kernels
