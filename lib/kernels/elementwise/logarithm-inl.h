// Logarithms.
//
// x = 2^n * (1+f) with 1+f between sqrt(1/2) and sqrt(2), and log(x) = n*ln(2) + log(1+f). With floats log(1+f) is
// f - f^2/2 + f^3*P(f). With doubles s = f/(2+f), and log(1+f) is 2*s + s*R(s^2) = f - (f^2/2 - s*(f^2/2 + R(s^2))).
// P and R are polynomials with the least relative error of the sum.
#pragma once

#include "lib/kernels/elementwise/polynomial-inl.h"

namespace tenrex::kernels {
namespace {

template <class T>
struct Logarithm;

template <>
struct Logarithm<float> {
    static constexpr float sqrt_half = 0x1.6a09e6p-1F;
    static constexpr float denormal_scale = 0x1p25F;
    static constexpr float denormal_n = -25;
    static constexpr float ln2_high = 0x1.62ep-1F;
    static constexpr float ln2_low = 0x1.0bfbe8p-15F;
    static constexpr float log10_2_high = 0x1.344p-2F;
    static constexpr float log10_2_low = 0x1.3509f8p-18F;
    static constexpr float log10_e_high = 0x1.bcb7b2p-2F;
    static constexpr float log10_e_low = -0x1.5b235ep-27F;
    // Relative error 2^-27.
    static constexpr float p[] = {0x1.555554p-2F, -0x1.000228p-2F, 0x1.99a00ap-3F, -0x1.54722ap-3F,
                                  0x1.22d9d2p-3F, -0x1.0d8614p-3F, 0x1.055df6p-3F, -0x1.38b74p-4F};
};

template <>
struct Logarithm<double> {
    static constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;
    static constexpr double denormal_scale = 0x1p54;
    static constexpr double denormal_n = -54;
    static constexpr double ln2_high = 0x1.62e42fefa3p-1;
    static constexpr double ln2_low = 0x1.3de6af278ece6p-42;
    static constexpr double log10_2_high = 0x1.34413509f6p-2;
    static constexpr double log10_2_low = 0x1.9fef311f12b36p-42;
    static constexpr double log10_e_high = 0x1.bcb7b1526e50ep-2;
    static constexpr double log10_e_low = 0x1.95355baaafad3p-57;
    // R(z)/z; relative error 2^-59.
    static constexpr double r[] = {0x1.5555555555592p-1, 0x1.999999997fd78p-2, 0x1.24924941f4f4bp-2,
                                   0x1.c71c52060c1c4p-3, 0x1.74663fa19033dp-3, 0x1.39a1a700496bbp-3,
                                   0x1.2f06345e40d9ap-3};
};

template <class Lanes>
struct Fraction {
    typename Lanes::V n;
    typename Lanes::V f;
};

// Of positive numbers; of others something without meaning.
template <class Lanes>
inline Fraction<Lanes> split(typename Lanes::V x) {
    using V = typename Lanes::V;
    using I = typename Lanes::I;
    using T = typename Lanes::Scalar;
    using Integer = typename Lanes::Integer;
    constexpr Integer sqrt_half = __builtin_bit_cast(Integer, Logarithm<T>::sqrt_half);
    constexpr Integer one = __builtin_bit_cast(Integer, T(1));
    constexpr Integer fraction = (Integer(1) << Lanes::fraction_bits) - 1;
    constexpr T whole = static_cast<T>(Integer(1) << Lanes::fraction_bits);

    const I denormal = x < Lanes::all(Lanes::least_normal);
    const V normal = denormal ? x * Logarithm<T>::denormal_scale : x;
    const V offset =
        denormal ? Lanes::all(Logarithm<T>::denormal_n - Lanes::bias - whole) : Lanes::all(-Lanes::bias - whole);
    // Its exponent is n, biased. Without signs, because a NaN may go beyond the largest integer.
    using U = typename Lanes::U;
    const U moved = __builtin_bit_cast(U, Lanes::bits(normal)) + __builtin_bit_cast(U, I{} + (one - sqrt_half));
    const I exponent = __builtin_bit_cast(I, moved >> Lanes::fraction_bits);
    return {Lanes::from_bits(exponent | __builtin_bit_cast(Integer, whole)) + offset,
            Lanes::from_bits((__builtin_bit_cast(I, moved) & fraction) + sqrt_half) - T(1)};
}

// log(1+f) - f
template <class Lanes>
inline typename Lanes::V beyond_linear(typename Lanes::V f) {
    using V = typename Lanes::V;
    using T = typename Lanes::Scalar;
    const V square = f * f;
    if constexpr (sizeof(T) == sizeof(float)) {
        const V cubic = f * polynomial<Lanes>(f, Logarithm<T>::p);
        return square * (cubic - T(0.5));
    } else {
        const V s = f / (f + T(2));
        const V z = s * s;
        const V half = square * T(0.5);
        return Lanes::multiply_add(s, Lanes::multiply_add(z, polynomial<Lanes>(z, Logarithm<T>::r), half), -half);
    }
}

// The results at 0, below it, at infinity and at NaN.
template <class Lanes>
inline typename Lanes::V at_limits(typename Lanes::V x, typename Lanes::V logarithm) {
    using V = typename Lanes::V;
    const V limit = x == Lanes::all(0) ? Lanes::all(-Lanes::infinity) : Lanes::all(Lanes::nan);
    const V above = x > Lanes::all(0) ? logarithm : limit;
    return x < Lanes::all(Lanes::infinity) ? above : x;
}

template <class Lanes>
inline typename Lanes::V natural_logarithm(typename Lanes::V x) {
    using V = typename Lanes::V;
    using Constants = Logarithm<typename Lanes::Scalar>;
    const Fraction<Lanes> parts = split<Lanes>(x);
    const V low = Lanes::multiply_add(parts.n, Lanes::all(Constants::ln2_low), beyond_linear<Lanes>(parts.f));
    return at_limits<Lanes>(x, Lanes::multiply_add(parts.n, Lanes::all(Constants::ln2_high), parts.f + low));
}

template <class Lanes>
inline typename Lanes::V decimal_logarithm(typename Lanes::V x) {
    using V = typename Lanes::V;
    using Constants = Logarithm<typename Lanes::Scalar>;
    const Fraction<Lanes> parts = split<Lanes>(x);
    V low = parts.n * Constants::log10_2_low;
    low = Lanes::multiply_add(parts.f, Lanes::all(Constants::log10_e_low), low);
    low = Lanes::multiply_add(beyond_linear<Lanes>(parts.f), Lanes::all(Constants::log10_e_high), low);
    const V rest = Lanes::multiply_add(parts.f, Lanes::all(Constants::log10_e_high), low);
    return at_limits<Lanes>(x, Lanes::multiply_add(parts.n, Lanes::all(Constants::log10_2_high), rest));
}

}  // namespace
}  // namespace tenrex::kernels
