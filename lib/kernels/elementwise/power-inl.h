// a to the power of b, as e^(b*log|a|) with a sign.
//
// The logarithm is needed to about 64 bits for a double result. It is the sum of two doubles, made of n*ln(2) +
// log(1+f) as in logarithm-inl.h, with log(1+f) = 2*s + 2/3*s^3 + s^5*Q(s^2): the first two terms as sums of two
// doubles, which needs fused multiply-add. For floats double arithmetic suffices.
#pragma once

#include "lib/kernels/elementwise/by_cell-inl.h"
#include "lib/kernels/elementwise/exponential-inl.h"
#include "lib/kernels/elementwise/logarithm-inl.h"

namespace tenrex::kernels {
namespace {

// A number as the sum of two, the second at most half a unit of the first one.
template <class Lanes>
struct Twice {
    typename Lanes::V high;
    typename Lanes::V low;
};

// The exact sum, if x is not the smaller one or 0; the exact product.
template <class Lanes>
inline Twice<Lanes> exact_sum(typename Lanes::V x, typename Lanes::V y) {
    const typename Lanes::V sum = x + y;
    return {sum, y - (sum - x)};
}
template <class Lanes>
inline Twice<Lanes> exact_product(typename Lanes::V x, typename Lanes::V y) {
    const typename Lanes::V product = x * y;
    return {product, Lanes::multiply_add(x, y, -product)};
}

// Relative error 2^-66 of log(1+f).
inline constexpr double power_q[] = {0x1.9999999999b3p-2,  0x1.2492492457d24p-2, 0x1.c71c722d6b5ebp-3,
                                     0x1.745ce9e197f42p-3, 0x1.3b1eec5fed7aep-3, 0x1.0f7fe1801098bp-3,
                                     0x1.0e42fb31bed1bp-3};

// log(x) of a positive number.
template <class Lanes>
inline Twice<Lanes> precise_logarithm(typename Lanes::V x) {
    using V = typename Lanes::V;
    const Fraction<Lanes> parts = split<Lanes>(x);
    // s = f/(2+f)
    const Twice<Lanes> divisor = exact_sum<Lanes>(Lanes::all(2), parts.f);
    const V inverse = 1.0 / divisor.high;
    const V s = parts.f * inverse;
    const V missing = Lanes::multiply_add(-s, divisor.low, Lanes::multiply_add(-s, divisor.high, parts.f));
    const V s_low = missing * inverse;
    // 2/3*s^3
    const Twice<Lanes> square = exact_product<Lanes>(s, s);
    const V square_low = Lanes::multiply_add(s + s, s_low, square.low);
    const Twice<Lanes> cube = exact_product<Lanes>(square.high, s);
    const V cube_low = cube.low + Lanes::multiply_add(square_low, s, square.high * s_low);
    const Twice<Lanes> third = exact_product<Lanes>(cube.high, Lanes::all(0x1.5555555555555p-1));
    V low = Lanes::multiply_add(cube_low, Lanes::all(0x1.5555555555555p-1),
                                Lanes::multiply_add(cube.high, Lanes::all(0x1.5555555555555p-55), third.low));
    low = Lanes::multiply_add(cube.high * square.high, polynomial<Lanes>(square.high, power_q), low);
    const Twice<Lanes> fraction = exact_sum<Lanes>(s + s, third.high);
    low = fraction.low + (low + (s_low + s_low));
    const Twice<Lanes> sum = exact_sum<Lanes>(parts.n * Logarithm<double>::ln2_high, fraction.high);
    low = sum.low + Lanes::multiply_add(parts.n, Lanes::all(Logarithm<double>::ln2_low), low);
    return exact_sum<Lanes>(sum.high, low);
}

// y*log(x) in double for the limits of x: the sign of the result decides between 0 and infinity.
template <class Lanes>
inline typename Lanes::V exponent_at_limits(typename Lanes::V x, typename Lanes::V y, typename Lanes::V exponent) {
    using V = typename Lanes::V;
    const V limit = x == Lanes::all(0) ? Lanes::all(-Lanes::infinity) : x;
    const typename Lanes::I ordinary = (x > Lanes::all(0)) & (x < Lanes::all(Lanes::infinity));
    return ordinary ? exponent : limit * y;
}

// e^(y*log(x)) of a number x that is not negative.
template <class Lanes>
inline typename Lanes::V precise_power(typename Lanes::V x, typename Lanes::V y) {
    using V = typename Lanes::V;
    using Constants = Exponential<double>;
    const Twice<Lanes> logarithm = precise_logarithm<Lanes>(x);
    const V high = logarithm.high * y;
    const V low = Lanes::multiply_add(logarithm.low, y, Lanes::multiply_add(logarithm.high, y, -high));
    const V bounded = at_most<Lanes>(at_least<Lanes>(high, Constants::least), Constants::most);
    const V n = nearest_n<Lanes>(bounded);
    const V power = Lanes::scale(rest_of_power<Lanes>(without_n<Lanes>(bounded, n) + low) + 1.0, n);
    const V exponent = exponent_at_limits<Lanes>(x, y, high);
    const V extreme =
        exponent > Lanes::all(0) ? Lanes::all(Lanes::infinity) : (exponent < Lanes::all(0) ? Lanes::all(0) : exponent);
    return Lanes::magnitude(exponent) < Lanes::all(-Constants::least) ? power : extreme;
}

// The same to 30 bits.
template <class Lanes>
inline typename Lanes::V coarse_power(typename Lanes::V x, typename Lanes::V y) {
    using V = typename Lanes::V;
    constexpr double ln2 = 0x1.62e42fefa39efp-1;
    constexpr double r[] = {0x1.555554fd937f3p-1, 0x1.999a7a9caa65p-2, 0x1.2438d2db29bb9p-2, 0x1.e2f7226025d97p-3};
    constexpr double q[] = {0x1.0000003a460ebp-1, 0x1.5555544291cb7p-3,  0x1.55548d749a0a5p-5,
                            0x1.11127146bb68dp-7, 0x1.6d8d52447868fp-10, 0x1.9f08585465bfp-13};
    const Fraction<Lanes> parts = split<Lanes>(x);
    const V s = parts.f / (parts.f + 2.0);
    const V z = s * s;
    const V series = Lanes::multiply_add(z, polynomial<Lanes>(z, r), Lanes::all(2));
    const V logarithm = Lanes::multiply_add(parts.n, Lanes::all(ln2), s * series);
    const V exponent = exponent_at_limits<Lanes>(x, y, logarithm * y);
    const V bounded = at_most<Lanes>(at_least<Lanes>(exponent, Exponential<float>::least), Exponential<float>::most);
    const V n = nearest_n<Lanes>(bounded);
    const V rest = Lanes::multiply_add(n, Lanes::all(-ln2), bounded);
    const V sum = Lanes::multiply_add(rest * rest, polynomial<Lanes>(rest, q), rest) + 1.0;
    return sum * Lanes::power_of_two(n);
}

template <class Lanes>
inline typename Lanes::V positive_power(typename Lanes::V x, typename Lanes::V y) {
    if constexpr (sizeof(typename Lanes::Scalar) == sizeof(float)) {
        return Lanes::join(coarse_power<typename Lanes::Wide>(Lanes::low(x), Lanes::low(y)),
                           coarse_power<typename Lanes::Wide>(Lanes::high(x), Lanes::high(y)));
    } else {
        return precise_power<Lanes>(x, y);
    }
}

template <class Lanes>
inline typename Lanes::V power_of(typename Lanes::V a, typename Lanes::V b) {
    using V = typename Lanes::V;
    using I = typename Lanes::I;
    using T = typename Lanes::Scalar;
    if constexpr (sizeof(T) == sizeof(double) && !Lanes::fuses) {
        return by_cell<Lanes>(a, b, [](double x, double y) { return __builtin_pow(x, y); });
    } else {
        const V size = Lanes::magnitude(a);
        const V power = positive_power<Lanes>(size, b);
        const V one = Lanes::all(1);
        const I trivial = (size == one) | (b == Lanes::all(0));
        const V magnitude = trivial ? one : power;
        const V half = b * T(0.5);
        const I whole = Lanes::floor(b) == b;
        const I odd = whole & (Lanes::floor(half) != half);
        const V with_sign = Lanes::from_bits(Lanes::bits(magnitude) | (Lanes::bits(a) & odd & Lanes::sign_bit));
        const I invalid = (a < Lanes::all(0)) & (a > Lanes::all(-Lanes::infinity)) & ~whole;
        return invalid ? Lanes::all(Lanes::nan) : with_sign;
    }
}

}  // namespace
}  // namespace tenrex::kernels
