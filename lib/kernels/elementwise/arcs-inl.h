// Arc sine, arc cosine and arc tangent.
//
// asin(x) = x + x^3 * A(x^2) up to 1/2, and beyond it pi/2 - 2*asin(s) with s = sqrt((1-x)/2).
// atan(x) = t + t^3 * T(t^2) with t = x up to tan(pi/8), beyond it pi/4 + atan(t) with t = (x-1)/(x+1), and from
// tan(3*pi/8) on pi/2 + atan(t) with t = -1/x. A and T are polynomials with the least relative error of the sums.
// Floats are computed in double.
#pragma once

#include "lib/kernels/elementwise/by_cell-inl.h"
#include "lib/kernels/elementwise/polynomial-inl.h"

namespace tenrex::kernels {
namespace {

// pi/2 and pi/4 as sums of two.
inline constexpr double half_pi = 0x1.921fb54442d18p+0;
inline constexpr double half_pi_low = 0x1.1a62633145c07p-54;
inline constexpr double quarter_pi = 0x1.921fb54442d18p-1;
inline constexpr double quarter_pi_low = 0x1.1a62633145c07p-55;

template <class Cell>
struct Arcs;

template <>
struct Arcs<float> {
    // Relative errors 2^-35 and 2^-35.
    static constexpr double a[] = {0x1.5555560916de4p-3, 0x1.3332a808deccap-4, 0x1.6ddb269753cfp-5,
                                   0x1.ed53920804101p-6, 0x1.9358c65372061p-6, 0x1.e980cc1882a45p-8,
                                   0x1.1c342a464f24bp-5};
    static constexpr double t[] = {-0x1.555554c8989dep-2, 0x1.99991a48ce39ap-3,  -0x1.247f06970932bp-3,
                                   0x1.c4680485f62d9p-4,  -0x1.5b45773f515fap-4, 0x1.84f5f1e874e26p-5};
};

template <>
struct Arcs<double> {
    // Relative errors 2^-58 and 2^-58.
    static constexpr double a[] = {
        0x1.5555555555578p-3, 0x1.333333332df7cp-4,  0x1.6db6db7226208p-5, 0x1.f1c71a8dbc924p-6, 0x1.6e8bdfa713e7ap-6,
        0x1.1c49e2b140f65p-6, 0x1.ca20cee391f84p-7,  0x1.757b743ac1a18p-7, 0x1.61740f22dd775p-7, 0x1.e2bd39f2c1a6p-9,
        0x1.649301bf9c932p-6, -0x1.5954dd5cea49ep-6, 0x1.0bb07834d778dp-5};
    static constexpr double t[] = {-0x1.555555555553dp-2, 0x1.99999999958ecp-3,  -0x1.24924922b1244p-3,
                                   0x1.c71c70e7a37c3p-4,  -0x1.745cf90b382aap-4, 0x1.3b111c66526c5p-4,
                                   -0x1.10ebddb00518bp-4, 0x1.df11685d5b548p-5,  -0x1.9cdc2a2f72eep-5,
                                   0x1.37ed4744cba5ep-5,  -0x1.259d55829703ep-6};
};

// Of vectors of double: asin(root) = root + beyond, where root is |x| or s.
template <class Lanes>
struct ArcSine {
    typename Lanes::I is_far;  // root is s
    typename Lanes::V root, beyond;
    typename Lanes::V head, rest;  // head + rest is s more precisely; twice the head is exact
};

template <class Lanes, class Cell>
inline ArcSine<Lanes> arc_sine_parts(typename Lanes::V x) {
    using V = typename Lanes::V;
    ArcSine<Lanes> parts;
    const V size = Lanes::magnitude(x);
    parts.is_far = size > Lanes::all(0.5);
    const V below_one = (1.0 - size) * 0.5;
    const V z = parts.is_far ? below_one : size * size;
    const V s = Lanes::sqrt(below_one);
    parts.root = parts.is_far ? s : size;
    parts.beyond = parts.root * (z * polynomial<Lanes>(z, Arcs<Cell>::a));
    if constexpr (sizeof(Cell) == sizeof(double)) {
        parts.head = Lanes::from_bits(Lanes::bits(s) & ~typename Lanes::Integer{0xFFFFFFFF});
        const V sum = s + parts.head;
        parts.rest = (below_one - parts.head * parts.head) / (sum == Lanes::all(0) ? Lanes::all(1) : sum);
    } else {
        parts.head = s;
        parts.rest = Lanes::all(0);
    }
    return parts;
}

template <class Lanes, class Cell>
inline typename Lanes::V arc_sine_in_double(typename Lanes::V x) {
    using V = typename Lanes::V;
    const ArcSine<Lanes> parts = arc_sine_parts<Lanes, Cell>(x);
    const V low = (parts.beyond + parts.beyond) - (half_pi_low - (parts.rest + parts.rest));
    const V far = quarter_pi - (low - (quarter_pi - (parts.head + parts.head)));
    return Lanes::copy_sign(parts.is_far ? far : parts.root + parts.beyond, x);
}

template <class Lanes, class Cell>
inline typename Lanes::V arc_cosine_in_double(typename Lanes::V x) {
    using V = typename Lanes::V;
    const ArcSine<Lanes> parts = arc_sine_parts<Lanes, Cell>(x);
    const typename Lanes::I is_negative = x < Lanes::all(0);
    const V near_one = parts.head + (parts.beyond + parts.rest);
    const V near_minus_one = half_pi - (parts.root + (parts.beyond - half_pi_low));
    const V far = is_negative ? near_minus_one : near_one;
    const V beyond = Lanes::from_bits(Lanes::bits(parts.beyond) ^ (Lanes::bits(x) & Lanes::sign_bit));
    return parts.is_far ? far + far : half_pi - (x - (half_pi_low - beyond));
}

// The angle of the point (below, above) between 0 and pi/2; neither is negative.
template <class Lanes, class Cell>
inline typename Lanes::V arc_tangent_of_point(typename Lanes::V above, typename Lanes::V below) {
    using V = typename Lanes::V;
    using I = typename Lanes::I;
    const I is_middle = above > below * 0x1.a827999fcef32p-2;
    const I is_far = above > below * 0x1.3504f333f9de6p+1;
    const V from_middle = is_middle ? above - below : above;
    const V to_middle = is_middle ? above + below : below;
    const V t = (is_far ? -below : from_middle) / (is_far ? above : to_middle);
    const V begin = is_middle ? Lanes::all(quarter_pi) : Lanes::all(0);
    const V begin_low = is_middle ? Lanes::all(quarter_pi_low) : Lanes::all(0);
    const V z = t * t;
    const V beyond = t * (z * polynomial<Lanes>(z, Arcs<Cell>::t));
    return (is_far ? Lanes::all(half_pi) : begin) + (t + (beyond + (is_far ? Lanes::all(half_pi_low) : begin_low)));
}

template <class Lanes>
inline typename Lanes::V arc_sine(typename Lanes::V x) {
    return in_double<Lanes>(
        [](auto lanes, auto cells, auto) { return arc_sine_in_double<decltype(lanes), typename Lanes::Scalar>(cells); },
        x, x);
}

template <class Lanes>
inline typename Lanes::V arc_cosine(typename Lanes::V x) {
    return in_double<Lanes>([](auto lanes, auto cells,
                               auto) { return arc_cosine_in_double<decltype(lanes), typename Lanes::Scalar>(cells); },
                            x, x);
}

template <class Lanes>
inline typename Lanes::V arc_tangent(typename Lanes::V x) {
    const auto compute = [](auto lanes, auto size, auto) {
        using L = decltype(lanes);
        return arc_tangent_of_point<L, typename Lanes::Scalar>(size, L::all(1));
    };
    return Lanes::copy_sign(in_double<Lanes>(compute, Lanes::magnitude(x), x), x);
}

// The angle of the point (x, y).
template <class Lanes>
inline typename Lanes::V arc_tangent_of_two(typename Lanes::V y, typename Lanes::V x) {
    using V = typename Lanes::V;
    const auto compute = [](auto lanes, auto above, auto across) {
        using L = decltype(lanes);
        const auto angle = arc_tangent_of_point<L, typename Lanes::Scalar>(L::magnitude(above), L::magnitude(across));
        const auto opposite = 2 * half_pi - (angle - 2 * half_pi_low);
        return L::copy_sign(L::bits(across) < 0 ? opposite : angle, above);
    };
    // Sums and quotients of others may be too large or too small, or there is no quotient.
    constexpr typename Lanes::Scalar large = sizeof(typename Lanes::Scalar) == sizeof(float)
                                                 ? Lanes::infinity
                                                 : static_cast<typename Lanes::Scalar>(0x1p1000);
    const V larger = Lanes::larger(Lanes::magnitude(x), Lanes::magnitude(y));
    const typename Lanes::I is_usual = ~((larger <= Lanes::all(1 / large)) | (larger >= Lanes::all(large)));
    return with_unusual<Lanes>(in_double<Lanes>(compute, y, x), is_usual, y, x,
                               [](double above, double across) { return __builtin_atan2(above, across); });
}

}  // namespace
}  // namespace tenrex::kernels
