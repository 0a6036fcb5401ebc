// What must be known of rows of a before blocks of zeros are left out of their product (MatmulBlocks).
//
// A sum that begins as +0 stays what it is when a zero of either sign is added, with two exceptions:
//
//   A zero times an infinity or NaN is NaN.
//   A sum that is -0 becomes +0. None does unless a result is rounded to -0 that is not zero.
//
// So rows must be finite. If their cells but zeros are multiples of 2^p and those of some columns multiples of 2^q, all
// products and sums are multiples of 2^(p+q), rounded or not: none is rounded to zero if that is a number of their
// type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/matmul/tiles-inl.h"

namespace tenrex::kernels {
namespace {

// Of some cells without their signs, as bits: the largest, and the least but zeros, less one; of zeros alone the
// largest number there is.
template <class Bits>
struct Magnitudes {
    Bits largest = 0;
    Bits least = static_cast<Bits>(-1);

    template <class T>
    void add(const Cell<T> *cells, std::ptrdiff_t stride, std::size_t count) {
        static_assert(sizeof(T) == sizeof(Bits));
        constexpr auto no_sign = static_cast<Bits>(static_cast<Bits>(-1) >> 1);
        Bits high = largest, low = least;
        const auto note = [&](const Cell<T> &cell) {
            const auto magnitude = static_cast<Bits>(__builtin_bit_cast(Bits, cell.value) & no_sign);
            const auto less_one = static_cast<Bits>(magnitude - 1);
            high = magnitude > high ? magnitude : high;
            low = less_one < low ? less_one : low;
        };
        if (stride == 1) {
            for (std::size_t i = 0; i < count; ++i) {
                note(cells[i]);
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                note(cells[static_cast<std::ptrdiff_t>(i) * stride]);
            }
        }
        largest = high;
        least = low;
    }
};

// Of binary floating point cells with so many bits of a fraction.
template <class T>
struct FloatFormat;
template <>
struct FloatFormat<float> {
    using Bits = std::uint32_t;
    static constexpr std::int32_t fraction_bits = 23;
    static constexpr std::int32_t least_place = -149;  // of the least number but zero
    static constexpr Bits infinity = Bits{0xFF} << fraction_bits;
};
template <>
struct FloatFormat<double> {
    using Bits = std::uint64_t;
    static constexpr std::int32_t fraction_bits = 52;
    static constexpr std::int32_t least_place = -1074;
    static constexpr Bits infinity = Bits{0x7FF} << fraction_bits;
};

// Whether blocks of zeros may be left out of the product of some rows, and beside which columns.
template <class T>
class SkippingRows {
    using Format = FloatFormat<T>;

public:
    SkippingRows(const Matmul &call, std::size_t top, std::size_t height) {
        if (call.blocks != nullptr && call.blocks->pays(call.m)) [[unlikely]] {
            look_at(call, top, height);
        }
    }

    bool any() const { return are_finite_; }
    // least_place: of the panel.
    bool beside(std::int16_t least_place) const { return are_finite_ && place_ + least_place >= Format::least_place; }

private:
    [[gnu::noinline]] void look_at(const Matmul &call, std::size_t top, std::size_t height) {
        Magnitudes<typename Format::Bits> magnitudes;
        for (std::size_t i = top; i < top + height; ++i) {
            magnitudes.add(static_cast<const Cell<T> *>(call.a) + static_cast<std::ptrdiff_t>(i) * call.a_row, call.a_k,
                           call.k);
        }
        are_finite_ = magnitudes.largest < Format::infinity;
        if (const auto least = static_cast<typename Format::Bits>(magnitudes.least + 1); least != 0) {
            const auto exponent = static_cast<std::int32_t>(least >> Format::fraction_bits);
            place_ = (exponent == 0 ? 0 : exponent - 1) + Format::least_place;
        }
    }

    bool are_finite_ = false;
    std::int32_t place_ = 0;  // the cells are multiples of two to the power of it; 0: they are zeros
};

}  // namespace
}  // namespace tenrex::kernels
