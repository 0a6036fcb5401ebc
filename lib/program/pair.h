// Two numbers at a time, for loops that look up labels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tenrex::program {

// What a plain x86-64 or AArch64 processor has in one register.
template <class Number>
using Pair __attribute__((vector_size(2 * sizeof(Number)))) = Number;

template <class Number>
Pair<Number> load_pair(const std::byte *bytes) noexcept {
    Pair<Number> pair;
    std::memcpy(&pair, bytes, sizeof(pair));
    return pair;
}

template <class Cell>
Pair<double> load_cells(const std::byte *cells) noexcept {
    if constexpr (std::is_same_v<Cell, double>) {
        return load_pair<double>(cells);
    }
#ifdef __SSE2__
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(cells))));
#else
    return __builtin_convertvector(load_pair<Cell>(cells), Pair<double>);
#endif
}

// All bits of the numbers that are equal. SSE2 compares halves only; compilers would rather leave the register.
inline Pair<std::uint64_t> equal(Pair<std::uint64_t> a, Pair<std::uint64_t> b) noexcept {
    using Halves __attribute__((vector_size(16))) = std::uint32_t;
    const auto halves = std::bit_cast<Halves>(std::bit_cast<Halves>(a) == std::bit_cast<Halves>(b));
    return std::bit_cast<Pair<std::uint64_t>>(halves & __builtin_shufflevector(halves, halves, 1, 0, 3, 2));
}

// The numbers where all bits of the mask are set, and 0 elsewhere: 0 times infinity would be no 0.
inline Pair<double> masked(Pair<double> numbers, Pair<std::uint64_t> mask) noexcept {
    return std::bit_cast<Pair<double>>(std::bit_cast<Pair<std::uint64_t>>(numbers) & mask);
}

}  // namespace tenrex::program
