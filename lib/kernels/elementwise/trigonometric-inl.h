// Sine, cosine and tangent.
//
// x = n * pi/2 + r, where n is the integer nearest to x * 2/pi and r at most pi/4 in size. With doubles pi/2 is the sum
// of three numbers, of which the products of the first two with n are exact; with floats, which are computed in double,
// two are enough. sin(r) = r + r^3 * S(r^2), and cos(r) = 1 - r^2/2 + r^4 * C(r^2), with the polynomials of the least
// relative error of these sums. The last two bits of n say which of the two it is, and its sign.
#pragma once

#include "lib/kernels/elementwise/by_cell-inl.h"
#include "lib/kernels/elementwise/polynomial-inl.h"

namespace tenrex::kernels {
namespace {

// Beyond that size n has so many bits that its products are not exact.
inline constexpr double largest_angle = 0x1p20;

template <class Cell>
struct Trigonometric;

template <>
struct Trigonometric<float> {
    // Relative errors 2^-37 and 2^-33.
    static constexpr double s[] = {-0x1.5555554cb9f61p-3, 0x1.111108965458fp-7, -0x1.a00f9dad343cbp-13,
                                   0x1.6cd859e383a01p-19};
    static constexpr double c[] = {0x1.55554a107453cp-5, -0x1.6c0c3318d644cp-10, 0x1.99eb729e57cafp-16};
};

template <>
struct Trigonometric<double> {
    // Relative errors 2^-57 and 2^-59.
    static constexpr double s[] = {-0x1.5555555555549p-3, 0x1.111111110f87dp-7,   -0x1.a01a019c1201p-13,
                                   0x1.71de357814d5dp-19, -0x1.ae5e668766e82p-26, 0x1.5d9318136495dp-33};
    static constexpr double c[] = {0x1.555555555554bp-5,   -0x1.6c16c16c14f8ep-10, 0x1.a01a019c83efdp-16,
                                   -0x1.27e4f7ea7e127p-22, 0x1.1ee9d783bcbeap-29,  -0x1.8fa4800322be2p-37};
};

// The sine and the cosine of r, and the number of quarters of a turn beside it in the last bits of `quarters`.
template <class Lanes>
struct Angle {
    typename Lanes::I quarters;
    typename Lanes::V sine, cosine;
};

// Cell: the type of the cells, which have been converted to double.
template <class Lanes, class Cell>
inline Angle<Lanes> angle(typename Lanes::V x) {
    using V = typename Lanes::V;
    constexpr double two_by_pi = 0x1.45f306dc9c883p-1;
    const V rounded = Lanes::multiply_add(x, Lanes::all(two_by_pi), Lanes::all(Lanes::rounder));
    const V n = rounded - Lanes::rounder;
    if constexpr (sizeof(Cell) == sizeof(float)) {
        V r = Lanes::multiply_add(n, Lanes::all(-0x1.921fb54p+0), x);
        r = Lanes::multiply_add(n, Lanes::all(-0x1.10b4611a62633p-30), r);
        const V z = r * r;
        const V sine = Lanes::multiply_add(r * z, polynomial<Lanes>(z, Trigonometric<float>::s), r);
        const V c = Lanes::multiply_add(z, polynomial<Lanes>(z, Trigonometric<float>::c), Lanes::all(-0.5));
        return {Lanes::bits(rounded), sine, Lanes::multiply_add(z, c, Lanes::all(1))};
    } else {
        // What the last two subtractions round away is `low`.
        const V first = Lanes::multiply_add(n, Lanes::all(-0x1.921fb544p+0), x);
        const V second_part = n * 0x1.0b4611a6p-34;
        const V second = first - second_part;
        const V third_part = n * 0x1.3198a2e037073p-69;
        const V r = second - third_part;
        const V low = ((second - r) - third_part) + ((first - second) - second_part);
        const V z = r * r;
        const V sine = r + Lanes::multiply_add(r * z, polynomial<Lanes>(z, Trigonometric<double>::s), low);
        const V half = z * 0.5;
        const V near = 1.0 - half;
        const V rest = Lanes::multiply_add(z * z, polynomial<Lanes>(z, Trigonometric<double>::c), -(r * low));
        return {Lanes::bits(rounded), sine, near + (((1.0 - near) - half) + rest)};
    }
}

// Of numbers whose angle is `angle`, more quarters of a turn on.
template <class Lanes>
inline typename Lanes::V sine_of(const Angle<Lanes> &angle, typename Lanes::Integer more) {
    using I = typename Lanes::I;
    const I quarters = angle.quarters + more;
    const I is_odd = -(quarters & 1);
    const typename Lanes::V value = is_odd ? angle.cosine : angle.sine;
    return Lanes::from_bits(Lanes::bits(value) ^ ((quarters << (Lanes::fraction_bits + 10)) & Lanes::sign_bit));
}

template <class Lanes>
inline typename Lanes::V tangent_of(const Angle<Lanes> &angle) {
    using V = typename Lanes::V;
    const typename Lanes::I is_odd = -(angle.quarters & 1);
    const V above = is_odd ? -angle.cosine : angle.sine;
    return above / (is_odd ? angle.sine : angle.cosine);
}

// compute(lanes, x) of vectors of double, exactly() of the cells beyond `largest_angle`.
template <class Lanes, class Compute, class Exactly>
inline typename Lanes::V of_angles(typename Lanes::V x, Compute compute, Exactly exactly) {
    // Of NaN, which documents have for what they lack, NaN is computed.
    const typename Lanes::I is_usual = ~(Lanes::magnitude(x) > Lanes::all(largest_angle));
    const typename Lanes::V result =
        in_double<Lanes>([&](auto lanes, auto cells, auto) { return compute(lanes, cells); }, x, x);
    return with_unusual<Lanes>(result, is_usual, x, x, [&](double cell, double) { return exactly(cell); });
}

// Zeros of either sign are their own sine and tangent; the sums have lost the sign.
template <class Lanes>
inline typename Lanes::V sine(typename Lanes::V x) {
    const typename Lanes::V result = of_angles<Lanes>(
        x, [](auto lanes, auto cells) { return sine_of(angle<decltype(lanes), typename Lanes::Scalar>(cells), 0); },
        [](double cell) { return __builtin_sin(cell); });
    return x == Lanes::all(0) ? x : result;
}

template <class Lanes>
inline typename Lanes::V cosine(typename Lanes::V x) {
    return of_angles<Lanes>(
        x, [](auto lanes, auto cells) { return sine_of(angle<decltype(lanes), typename Lanes::Scalar>(cells), 1); },
        [](double cell) { return __builtin_cos(cell); });
}

template <class Lanes>
inline typename Lanes::V tangent(typename Lanes::V x) {
    const typename Lanes::V result = of_angles<Lanes>(
        x, [](auto lanes, auto cells) { return tangent_of(angle<decltype(lanes), typename Lanes::Scalar>(cells)); },
        [](double cell) { return __builtin_tan(cell); });
    return x == Lanes::all(0) ? x : result;
}

}  // namespace
}  // namespace tenrex::kernels
