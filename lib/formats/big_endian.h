// Cells and integers as bytes with the most significant one first, whatever the machine's own order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tenrex {

// The unsigned integer with the bits of a cell of type T.
template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class T>
T from_bits(BitsOf<T> bits) noexcept {
    T value;
    std::memcpy(static_cast<void *>(&value), &bits, sizeof(value));
    return value;
}

template <class Bits>
Bits swap_bytes(Bits bits) noexcept {
    if constexpr (sizeof(Bits) == 8) {
        return __builtin_bswap64(bits);
    } else if constexpr (sizeof(Bits) == 4) {
        return __builtin_bswap32(bits);
    } else if constexpr (sizeof(Bits) == 2) {
        return __builtin_bswap16(bits);
    } else {
        return bits;
    }
}

// Copies `count` items of type Bits between this machine's order and big-endian order, which is the same both ways.
// Neither side need be aligned.
template <class Bits>
void copy_big_endian(std::byte *to, const std::byte *from, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        Bits bits;
        std::memcpy(&bits, from + i * sizeof(Bits), sizeof(Bits));
        if constexpr (std::endian::native == std::endian::little) {
            bits = swap_bytes(bits);
        }
        std::memcpy(to + i * sizeof(Bits), &bits, sizeof(Bits));
    }
}

}  // namespace tenrex
