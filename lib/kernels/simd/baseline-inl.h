// Vectors of 128 bits in the compilers' portable form: SSE2 on x86-64, AdvSIMD on AArch64, plain code elsewhere.
#pragma once

#include "lib/kernels/cells-inl.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tenrex::kernels {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));
using Word4 = std::uint32_t __attribute__((vector_size(16)));
using Half8 = std::uint16_t __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Long2 = std::int64_t __attribute__((vector_size(16)));
using Short8 = std::int16_t __attribute__((vector_size(16)));
using Byte16 = std::int8_t __attribute__((vector_size(16)));

// `count` cells of T as the lanes of V, zeros behind them. With a constant count this is one load.
template <class V, class T>
inline V load_lanes(const Cell<T> *cells, std::size_t count) {
    V lanes = {};
    __builtin_memcpy(&lanes, cells, count * sizeof(T));
    return lanes;
}

// The first `count` lanes of V.
template <class V, class T>
inline void store_lanes(Cell<T> *cells, V lanes, std::size_t count) {
    __builtin_memcpy(cells, &lanes, count * sizeof(T));
}

// Up to eight bytes loaded by way of a register.
template <class V, class T>
inline V load_low_lanes(const Cell<T> *cells, std::size_t count) {
    std::int64_t bytes = 0;
    __builtin_memcpy(&bytes, cells, count * sizeof(T));
    return __builtin_bit_cast(V, Long2{bytes, 0});
}

struct Floats {
    using Vector = Float4;
    using Sum = float;
    using Native = f32;
    static constexpr std::size_t lanes = 4;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 0;

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return x + y; }
    static Vector subtract(Vector x, Vector y) { return x - y; }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
    static Vector magnitude(Vector x) { return __builtin_bit_cast(Vector, __builtin_bit_cast(Int4, x) & 0x7FFFFFFF); }

    static Vector load(const f32 *cells, std::size_t count = lanes) { return load_lanes<Vector>(cells, count); }
    static Vector load(const bf16 *cells, std::size_t count = lanes) {
        const Half8 halves = load_low_lanes<Half8>(cells, count);
        const Half8 twice = __builtin_shufflevector(halves, halves, 0, 0, 1, 1, 2, 2, 3, 3);
        return __builtin_bit_cast(Vector, __builtin_bit_cast(Word4, twice) & 0xFFFF0000U);
    }
    static Vector load(const i8 *cells, std::size_t count = lanes) {
        const Byte16 bytes = load_low_lanes<Byte16>(cells, count);
        const Byte16 twice = __builtin_shufflevector(bytes, bytes, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        const Half8 pairs = __builtin_bit_cast(Half8, twice);
        const Half8 fours = __builtin_shufflevector(pairs, pairs, 0, 0, 1, 1, 2, 2, 3, 3);
        return __builtin_convertvector(__builtin_bit_cast(Int4, fours) >> 24, Vector);
    }
    static Vector broadcast(const f32 *cell) { return Vector{cell->value, cell->value, cell->value, cell->value}; }
    static void store(f32 *cells, Vector x, std::size_t count = lanes) { store_lanes(cells, x, count); }

    // The larger or smaller of two; of a NaN and something else the other.
    static Vector larger(Vector x, Vector y) { return ((y > x) | (x != x)) ? y : x; }
    static Vector smaller(Vector x, Vector y) { return ((y < x) | (x != x)) ? y : x; }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], float *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            totals[i] = (rows[i][0] + rows[i][2]) + (rows[i][1] + rows[i][3]);
        }
    }
};

struct Doubles {
    using Vector = Double2;
    using Sum = double;
    using Native = f64;
    static constexpr std::size_t lanes = 2;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 0;

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return x + y; }
    static Vector subtract(Vector x, Vector y) { return x - y; }
    static Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
    static Vector magnitude(Vector x) {
        return __builtin_bit_cast(Vector, __builtin_bit_cast(Long2, x) & 0x7FFFFFFFFFFFFFFF);
    }

    static Vector load(const f64 *cells, std::size_t count = lanes) { return load_lanes<Vector>(cells, count); }
    static Vector load(const f32 *cells, std::size_t count = lanes) {
        return Vector{cells[0].value, count > 1 ? cells[1].value : 0.0F};
    }
    static Vector load(const bf16 *cells, std::size_t count = lanes) {
        return Vector{widen(cells[0]), count > 1 ? widen(cells[1]) : 0.0F};
    }
    static Vector load(const i8 *cells, std::size_t count = lanes) {
        return Vector{static_cast<double>(cells[0].value), count > 1 ? static_cast<double>(cells[1].value) : 0.0};
    }
    static Vector broadcast(const f64 *cell) { return Vector{cell->value, cell->value}; }
    static void store(f64 *cells, Vector x, std::size_t count = lanes) { store_lanes(cells, x, count); }

    static Vector larger(Vector x, Vector y) { return ((y > x) | (x != x)) ? y : x; }
    static Vector smaller(Vector x, Vector y) { return ((y < x) | (x != x)) ? y : x; }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], double *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            totals[i] = rows[i][0] + rows[i][1];
        }
    }

private:
    static float widen(bf16 cell) { return __builtin_bit_cast(float, std::uint32_t{cell.value} << 16); }
};

// Sums of 32-bit integers, for the steps below and for others that count.
struct Integers {
    using Vector = Int4;
    using Sum = std::int32_t;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 32768;  // squares of differences of int8 cells reach 65025

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return x + y; }

    template <std::size_t n>
    static void sum(const Vector (&rows)[n], std::int32_t *totals) {
        for (std::size_t i = 0; i < n; ++i) {
            totals[i] = rows[i][0] + rows[i][1] + rows[i][2] + rows[i][3];
        }
    }
};

// int8 cells as 16-bit integers, products summed as 32-bit integers: exact.
struct Shorts : Integers {
    using Native = void;
    static constexpr std::size_t lanes = 8;

    static Short8 subtract(Short8 x, Short8 y) { return x - y; }
    static Vector multiply_add(Short8 x, Short8 y, Vector z) {
#if defined(__SSE2__)
        return z + __builtin_bit_cast(Vector,
                                      _mm_madd_epi16(__builtin_bit_cast(__m128i, x), __builtin_bit_cast(__m128i, y)));
#else
        const Vector x_pairs = __builtin_bit_cast(Vector, x);
        const Vector y_pairs = __builtin_bit_cast(Vector, y);
        return z + ((x_pairs << 16) >> 16) * ((y_pairs << 16) >> 16) + (x_pairs >> 16) * (y_pairs >> 16);
#endif
    }

    static Short8 load(const i8 *cells, std::size_t count = lanes) {
        const Byte16 bytes = load_low_lanes<Byte16>(cells, count);
        const Byte16 twice = __builtin_shufflevector(bytes, bytes, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        return __builtin_bit_cast(Short8, twice) >> 8;
    }
};

// Words that hold two 16-bit integers each.
struct Pairs : Integers {
    using Native = i32;
    static constexpr std::size_t lanes = 4;

    static Vector load(const i32 *words) { return load_lanes<Vector>(words, lanes); }
    static Vector broadcast(const i32 *word) { return Vector{word->value, word->value, word->value, word->value}; }
    static void store(i32 *words, Vector x) { store_lanes(words, x, lanes); }
    static Vector multiply_add(Vector x, Vector y, Vector z) {
        return Shorts::multiply_add(__builtin_bit_cast(Short8, x), __builtin_bit_cast(Short8, y), z);
    }
};

// int8 cells, or bytes of bits, as they are.
struct Bytes : Integers {
    using Native = i8;
    static constexpr std::size_t lanes = 16;

    static Vector load(const i8 *cells, std::size_t count = lanes) {
        return __builtin_bit_cast(Vector, load_lanes<Byte16>(cells, count));
    }
};

}  // namespace
}  // namespace tenrex::kernels
