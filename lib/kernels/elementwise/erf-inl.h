// The error function.
//
// Up to 1 it is x + x*S(x^2), beyond that 1 - e^-G(x); S and G are polynomials with the least relative error of the
// result.
#pragma once

#include "lib/kernels/elementwise/exponential-inl.h"

namespace tenrex::kernels {
namespace {

template <class T>
struct ErrorFunction;

template <>
struct ErrorFunction<float> {
    static constexpr float one_from = 4;  // from here on the result rounds to 1
    // Relative errors 2^-29.
    static constexpr float s[] = {0x1.06eba8p-3F, -0x1.81273ep-2F,  0x1.ce2cf8p-4F, -0x1.b7f90ep-6F,
                                  0x1.5405b2p-8F, -0x1.a3f708p-11F, 0x1.496a46p-14F};
    static constexpr float g[] = {0x1.661d06p-12F, 0x1.2088eap+0F, 0x1.46baecp-1F,  0x1.a65342p-4F,
                                  -0x1.65cb72p-6F, 0x1.825aeap-9F, -0x1.86dd64p-13F};
};

template <>
struct ErrorFunction<double> {
    static constexpr double one_from = 6;
    // Relative errors 2^-57.
    static constexpr double s[] = {0x1.06eba8214db68p-3,   -0x1.812746b0379bdp-2,  0x1.ce2f21a040d16p-4,
                                   -0x1.b82ce311fa93fp-6,  0x1.565bccf92b387p-8,   -0x1.c02db03dd8ffdp-11,
                                   0x1.f9a2baa935256p-14,  -0x1.f4ca4d72e7f54p-17, 0x1.b97fd400c814bp-20,
                                   -0x1.5c0727ef3794ep-23, 0x1.d71b16508457ap-27,  -0x1.abae5f678b252p-31};
    static constexpr double g[] = {0x1.0dfa7f3ce2705p-21,  0x1.20dd1fd2f2badp+0,   0x1.45f6275caaa45p-1,
                                   0x1.a4ac5bd8cd622p-4,   -0x1.37228f618ff37p-6,  -0x1.ae9529f63ab03p-12,
                                   0x1.f641573016b0ap-10,  -0x1.940aed132663p-11,  0x1.1b3b238942a27p-13,
                                   0x1.53f9fe91f4416p-16,  -0x1.7ee17bc030084p-16, 0x1.22cf81f51904bp-17,
                                   -0x1.1ea27139eb129p-19, 0x1.90d05411a6162p-22,  -0x1.8ec01a8511b31p-25,
                                   0x1.0e58759f455dfp-28,  -0x1.c1aa13d6525eep-33, 0x1.5acc07bfb1e19p-38};
};

template <class Lanes>
inline typename Lanes::V error_function(typename Lanes::V x) {
    using V = typename Lanes::V;
    using T = typename Lanes::Scalar;
    const V size = at_most<Lanes>(Lanes::magnitude(x), ErrorFunction<T>::one_from);
    const V near = Lanes::multiply_add(size, polynomial<Lanes>(size * size, ErrorFunction<T>::s), size);
    const Powers<Lanes> parts = powers<Lanes>(-polynomial<Lanes>(size, ErrorFunction<T>::g));
    const V power = Lanes::power_of_two(parts.n);
    const V far = T(1) - Lanes::multiply_add(power, parts.rest, power);
    return Lanes::copy_sign(size < Lanes::all(1) ? near : far, x);
}

}  // namespace
}  // namespace tenrex::kernels
