// The vectors of the target `baseline`, of 128 bits: SSE2 on x86-64, AdvSIMD on AArch64, plain code elsewhere.
#pragma once

#if defined(__aarch64__)
#include "lib/kernels/simd/neon-inl.h"
#else
#include "lib/kernels/simd/portable-inl.h"
#endif

namespace tenrex::kernels {
namespace {

struct Floats : FloatInstructions {
    using Vector = Float4;
    using Sum = float;
    using Native = f32;
    static constexpr std::size_t lanes = 4;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 0;

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return x + y; }
    static Vector subtract(Vector x, Vector y) { return x - y; }
    static Vector magnitude(Vector x) { return __builtin_bit_cast(Vector, __builtin_bit_cast(Int4, x) & 0x7FFFFFFF); }

    using FloatInstructions::load;
    static Vector load(const f32 *cells, std::size_t count = lanes) { return load_lanes<Vector>(cells, count); }
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

struct Doubles : DoubleInstructions {
    using Vector = Double2;
    using Sum = double;
    using Native = f64;
    static constexpr std::size_t lanes = 2;
    static constexpr std::size_t rows_at_once = 2;
    static constexpr std::size_t block = 0;

    static Vector zero() { return Vector{}; }
    static Vector add(Vector x, Vector y) { return x + y; }
    static Vector subtract(Vector x, Vector y) { return x - y; }
    static Vector magnitude(Vector x) {
        return __builtin_bit_cast(Vector, __builtin_bit_cast(Long2, x) & 0x7FFFFFFFFFFFFFFF);
    }

    using DoubleInstructions::load;
    static Vector load(const f64 *cells, std::size_t count = lanes) { return load_lanes<Vector>(cells, count); }
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
struct Shorts : Integers, ShortInstructions {
    using Native = void;
    static constexpr std::size_t lanes = 8;

    static Short8 subtract(Short8 x, Short8 y) { return x - y; }
};

// Words that hold two 16-bit integers each. The first operand of multiply_add() comes from broadcast().
struct Pairs : Integers, PairInstructions {
    using Native = i32;
    static constexpr std::size_t lanes = 4;

    static Vector load(const i32 *words) { return load_lanes<Vector>(words, lanes); }
    static void store(i32 *words, Vector x) { store_lanes(words, x, lanes); }
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
