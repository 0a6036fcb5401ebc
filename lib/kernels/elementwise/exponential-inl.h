// The exponential function and what follows from it: elu, sigmoid.
//
// e^x = 2^n * e^r, where n is the integer nearest to x/ln(2) and r the rest, at most ln(2)/2 in size; and
// e^r - 1 = r + r^2 * q(r), where q is the polynomial with the least relative error of that sum.
#pragma once

#include "lib/kernels/elementwise/polynomial-inl.h"

namespace tenrex::kernels {
namespace {

template <class T>
struct Exponential;

template <>
struct Exponential<float> {
    static constexpr float least = -104;  // below it e^x rounds to 0, above `most` to infinity
    static constexpr float most = 89;
    static constexpr float one_from = 9.1F;       // from here on tanh(x) rounds to 1
    static constexpr float minus_one_from = -18;  // down from here e^x - 1 rounds to -1, and 1/(1+e^x) to 1
    static constexpr float inverse_ln2 = 0x1.715476p+0F;
    // ln(2) in two parts; the first one has zeros at its end, so that its product with n is exact.
    static constexpr float ln2_high = 0x1.62ep-1F;
    static constexpr float ln2_low = 0x1.0bfbe8p-15F;
    // Relative error 2^-26.
    static constexpr float q[] = {0x1.fffffep-2F, 0x1.5554bp-3F, 0x1.555674p-5F, 0x1.1227bp-7F, 0x1.6becp-10F};
};

template <>
struct Exponential<double> {
    static constexpr double least = -746;
    static constexpr double most = 710;
    static constexpr double minus_one_from = -38;
    static constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
    static constexpr double ln2_high = 0x1.62e42fefa3p-1;
    static constexpr double ln2_low = 0x1.3de6af278ece6p-42;
    // Relative error 2^-55.
    static constexpr double q[] = {0x1.0000000000005p-1,  0x1.5555555555539p-3,  0x1.555555555228ep-5,
                                   0x1.1111111119011p-7,  0x1.6c16c17ee7223p-10, 0x1.a01a0174fae56p-13,
                                   0x1.a019a74a7fa99p-16, 0x1.71de8825b2f72p-19, 0x1.28a20685a4405p-22,
                                   0x1.ae6baa8565c81p-26};
};

// The number within a bound; NaN stays NaN.
template <class Lanes>
inline typename Lanes::V at_least(typename Lanes::V x, typename Lanes::Scalar bound) {
    return Lanes::larger(Lanes::all(bound), x);
}
template <class Lanes>
inline typename Lanes::V at_most(typename Lanes::V x, typename Lanes::Scalar bound) {
    return Lanes::smaller(Lanes::all(bound), x);
}

template <class Lanes>
struct Powers {
    typename Lanes::V n;
    typename Lanes::V rest;  // e^r - 1
};

template <class Lanes>
inline typename Lanes::V nearest_n(typename Lanes::V x) {
    using Constants = Exponential<typename Lanes::Scalar>;
    return Lanes::multiply_add(x, Lanes::all(Constants::inverse_ln2), Lanes::all(Lanes::rounder)) - Lanes::rounder;
}

template <class Lanes>
inline typename Lanes::V without_n(typename Lanes::V x, typename Lanes::V n) {
    using Constants = Exponential<typename Lanes::Scalar>;
    const typename Lanes::V r = Lanes::multiply_add(n, Lanes::all(-Constants::ln2_high), x);
    return Lanes::multiply_add(n, Lanes::all(-Constants::ln2_low), r);
}

// e^r - 1
template <class Lanes>
inline typename Lanes::V rest_of_power(typename Lanes::V r) {
    return Lanes::multiply_add(r * r, polynomial<Lanes>(r, Exponential<typename Lanes::Scalar>::q), r);
}

template <class Lanes>
inline Powers<Lanes> powers(typename Lanes::V x) {
    const typename Lanes::V n = nearest_n<Lanes>(x);
    return {n, rest_of_power<Lanes>(without_n<Lanes>(x, n))};
}

template <class Lanes>
inline typename Lanes::V exponential(typename Lanes::V x) {
    using Constants = Exponential<typename Lanes::Scalar>;
    const Powers<Lanes> parts = powers<Lanes>(at_most<Lanes>(at_least<Lanes>(x, Constants::least), Constants::most));
    return Lanes::scale(parts.rest + typename Lanes::Scalar(1), parts.n);
}

// e^x - 1 of negative numbers, without the cancellation; positive ones stay as they are.
template <class Lanes>
inline typename Lanes::V exponential_linear_unit(typename Lanes::V x) {
    using V = typename Lanes::V;
    using Constants = Exponential<typename Lanes::Scalar>;
    const Powers<Lanes> parts = powers<Lanes>(at_most<Lanes>(at_least<Lanes>(x, Constants::minus_one_from), 0));
    const V power = Lanes::power_of_two(parts.n);
    const V below = Lanes::multiply_add(power, parts.rest, power - typename Lanes::Scalar(1));
    return x < Lanes::all(0) ? below : x;
}

// 1/(1+e^-x) = 2^n / (2^n + e^-r) with x = n*ln(2) + r: nothing overflows.
template <class Lanes>
inline typename Lanes::V logistic(typename Lanes::V x) {
    using V = typename Lanes::V;
    using Constants = Exponential<typename Lanes::Scalar>;
    // Beyond the upper bound the result is 1.
    const V bounded = at_most<Lanes>(at_least<Lanes>(x, Constants::least), -Constants::minus_one_from);
    const V n = nearest_n<Lanes>(bounded);
    V minus_r = Lanes::multiply_add(n, Lanes::all(Constants::ln2_high), -bounded);
    minus_r = Lanes::multiply_add(n, Lanes::all(Constants::ln2_low), minus_r);
    const V power = Lanes::scale(Lanes::all(1), n);
    const V sum = rest_of_power<Lanes>(minus_r) + at_most<Lanes>(power, 1) + at_least<Lanes>(power, 1);
    return power / sum;
}

}  // namespace
}  // namespace tenrex::kernels
