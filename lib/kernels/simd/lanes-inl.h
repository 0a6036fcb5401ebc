// Vectors of floats or doubles in the compilers' portable form, for code that is written once for every width.
#pragma once

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

// How numbers are laid out.
template <class T>
struct NumberFormat;
template <>
struct NumberFormat<float> {
    using Integer = std::int32_t;
    using Unsigned = std::uint32_t;
    static constexpr int fraction_bits = 23;
    static constexpr int bias = 127;
    static constexpr float least_normal = 0x1p-126F;
};
template <>
struct NumberFormat<double> {
    using Integer = std::int64_t;
    using Unsigned = std::uint64_t;
    static constexpr int fraction_bits = 52;
    static constexpr int bias = 1023;
    static constexpr double least_normal = 0x1p-1022;
};

// What needs no instruction of its own. Comparisons of V give I, with all bits set where they hold.
template <class T, std::size_t bytes>
struct PortableLanes : NumberFormat<T> {
    using Scalar = T;
    using Integer = typename NumberFormat<T>::Integer;
    using Unsigned = typename NumberFormat<T>::Unsigned;
    // Alias declarations would lose the attribute.
    typedef T V __attribute__((vector_size(bytes)));
    typedef Integer I __attribute__((vector_size(bytes)));
    typedef Unsigned U __attribute__((vector_size(bytes)));
    static constexpr std::size_t lanes = bytes / sizeof(T);
    static constexpr Integer sign_bit = Integer(Unsigned(1) << (8 * sizeof(T) - 1));
    static constexpr T infinity = static_cast<T>(__builtin_inf());
    static constexpr T nan = static_cast<T>(__builtin_nan(""));
    // Numbers of this size are integers and end in a unit: what is added to it is rounded to an integer, in its last
    // bits.
    static constexpr T rounder = static_cast<T>(1.5) * static_cast<T>(Integer(1) << NumberFormat<T>::fraction_bits);

    static V all(T value) { return value - V{}; }  // not V{} + value, which would lose the sign of -0
    static I bits(V x) { return __builtin_bit_cast(I, x); }
    static V from_bits(I x) { return __builtin_bit_cast(V, x); }
    static V magnitude(V x) { return from_bits(bits(x) & ~sign_bit); }
    // The magnitude of x with the sign of y.
    static V copy_sign(V x, V y) { return from_bits((bits(x) & ~sign_bit) | (bits(y) & sign_bit)); }
    // Whether a comparison holds for all.
    static bool all_set(I mask) {
        Integer set = -1;
        for (std::size_t i = 0; i < lanes; ++i) {
            set &= mask[i];
        }
        return set != 0;
    }
    // 2 to the power of n, of whole numbers for which that is a normal number.
    static V power_of_two(V n) {
        // Without signs: the bits that the shift leaves are a number only after the addition.
        const U shifted = __builtin_bit_cast(U, n + rounder) << NumberFormat<T>::fraction_bits;
        return __builtin_bit_cast(V, shifted + __builtin_bit_cast(U, all(1)));
    }
    // x times 2 to the power of n, rounded once; for x near 1 and n such that the power is a number or nearly one.
    static V scale(V x, V n) {
        const I below = n < all(0);
        const V offset = below ? all(64) : all(-1);
        return x * power_of_two(n + offset) * (below ? all(T(0x1p-64)) : all(2));
    }

    static V load(const char *cells) {
        V x;
        __builtin_memcpy(&x, cells, bytes);
        return x;
    }
    static void store(char *cells, V x) { __builtin_memcpy(cells, &x, bytes); }
};

}  // namespace
}  // namespace tenrex::kernels
