// The cells that kernels read and write in place, at any alignment; for kernel sources only.
#pragma once

#include <cstddef>
#include <cstdint>

// What the families have kernels for: cells that are numbers with a fraction, each with the vectors (simd/) that
// compute with it, and all pairs of different cells with those for both, the wider one first. What is said of int8 rows
// alone each family says itself.
#define TENREX_FRACTION_CELLS(of) of(f64, Doubles) of(f32, Floats) of(bf16, Floats)
// clang-format off
#define TENREX_CELL_PAIRS(of)                                         \
    of(f64, f32, Doubles) of(f64, bf16, Doubles) of(f64, i8, Doubles) \
    of(f32, bf16, Floats) of(f32, i8, Floats)                         \
    of(bf16, i8, Floats)
// clang-format on

namespace tenrex::kernels {
namespace {

template <class T>
struct __attribute__((packed, may_alias)) Cell {
    T value;
};

using f64 = Cell<double>;
using f32 = Cell<float>;
using bf16 = Cell<std::uint16_t>;  // the upper half of a float
using i8 = Cell<std::int8_t>;
using i32 = Cell<std::int32_t>;  // only within kernels

template <class T>
inline T load_as(const char *bytes) {
    return reinterpret_cast<const Cell<T> *>(bytes)->value;
}

// Up to eight bytes with zeros behind them, by reads that overlap.
inline std::uint64_t load_bytes_up_to_8(const char *bytes, std::size_t count) {
    if (count >= 8) {
        return load_as<std::uint64_t>(bytes);
    }
    if (count >= 4) {
        const std::uint64_t low = load_as<std::uint32_t>(bytes);
        const std::uint64_t high = load_as<std::uint32_t>(bytes + count - 4);
        return low | high << (8 * (count - 4));
    }
    if (count >= 2) {
        const std::uint64_t low = load_as<std::uint16_t>(bytes);
        const std::uint64_t high = load_as<std::uint16_t>(bytes + count - 2);
        return low | high << (8 * (count - 2));
    }
    return count == 0 ? 0 : load_as<std::uint8_t>(bytes);
}

// Row `index` of an operand with `stride` bytes from one row to the next.
template <class T>
inline const T *row(const void *first, std::ptrdiff_t stride, std::size_t index) {
    return reinterpret_cast<const T *>(static_cast<const char *>(first) + static_cast<std::ptrdiff_t>(index) * stride);
}
template <class T>
inline T *row(void *first, std::ptrdiff_t stride, std::size_t index) {
    return reinterpret_cast<T *>(static_cast<char *>(first) + static_cast<std::ptrdiff_t>(index) * stride);
}

// Eight cells of one bit in a byte; the first is the most significant one if `big`.
template <bool big>
struct __attribute__((packed, may_alias)) EightBits {
    std::uint8_t byte;
};

// Cell `index` of a row; a multiple of eight where cells are bits.
template <class T>
inline const Cell<T> *at(const Cell<T> *cells, std::size_t index) {
    return cells + index;
}
template <bool big>
inline const EightBits<big> *at(const EightBits<big> *bits, std::size_t index) {
    return bits + index / 8;
}

template <class T>
inline std::size_t bytes_of(const Cell<T> *, std::size_t cells) {
    return cells * sizeof(T);
}
template <bool big>
inline std::size_t bytes_of(const EightBits<big> *, std::size_t cells) {
    return cells / 8;
}

}  // namespace
}  // namespace tenrex::kernels
