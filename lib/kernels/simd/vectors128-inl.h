// Vectors of 128 bits in the compilers' portable form, and how they are loaded and stored.
#pragma once

#include "lib/kernels/cells-inl.h"

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
    const std::size_t bytes = count * sizeof(T);
    const char *const from = reinterpret_cast<const char *>(cells);
    if (bytes >= sizeof(V)) {
        V lanes;
        __builtin_memcpy(&lanes, from, sizeof(V));
        return lanes;
    }
    // By way of registers: a vector that is read where its parts were just written waits for them.
    const std::uint64_t rest = bytes > 8 ? load_bytes_up_to_8(from + 8, bytes - 8) : 0;
    return __builtin_bit_cast(
        V, Long2{static_cast<std::int64_t>(load_bytes_up_to_8(from, bytes)), static_cast<std::int64_t>(rest)});
}

// The first `count` lanes of V.
template <class V, class T>
inline void store_lanes(Cell<T> *cells, V lanes, std::size_t count) {
    __builtin_memcpy(cells, &lanes, count * sizeof(T));
}

// Up to eight bytes loaded by way of a register.
template <class V, class T>
inline V load_low_lanes(const Cell<T> *cells, std::size_t count) {
    const std::uint64_t bytes = load_bytes_up_to_8(reinterpret_cast<const char *>(cells), count * sizeof(T));
    return __builtin_bit_cast(V, Long2{static_cast<std::int64_t>(bytes), 0});
}

}  // namespace
}  // namespace tenrex::kernels
