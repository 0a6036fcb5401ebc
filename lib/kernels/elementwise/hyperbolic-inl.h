// The hyperbolic tangent: up to 0.55 it is x + x^3*T(x^2), beyond that 1 - 2/(e^2x + 1).
#pragma once

#include "lib/kernels/elementwise/exponential-inl.h"

namespace tenrex::kernels {
namespace {

template <class T>
struct HyperbolicTangent;

template <>
struct HyperbolicTangent<float> {
    static constexpr float one_from = 9.1F;  // from here on the result rounds to 1
    // Relative error 2^-29.
    static constexpr float t[] = {-0x1.55554cp-2F, 0x1.110d3ap-3F, -0x1.b92b84p-5F, 0x1.5954a4p-6F, -0x1.9baf04p-8F};
};

template <>
struct HyperbolicTangent<double> {
    static constexpr double one_from = 19.1;
    // Relative error 2^-55.
    static constexpr double t[] = {-0x1.55555555554a4p-2,  0x1.1111111102fd8p-3,  -0x1.ba1ba1adb9927p-5,
                                   0x1.664f45cf579d1p-6,   -0x1.226dde815c14ep-7, 0x1.d6c642ca4b4e3p-9,
                                   -0x1.7cf517b7f513cp-10, 0x1.2faa22e97398fp-11, -0x1.b938f15af0c89p-13,
                                   0x1.ac7d7e0520562p-15};
};

template <class Lanes>
inline typename Lanes::V hyperbolic_tangent(typename Lanes::V x) {
    using V = typename Lanes::V;
    using T = typename Lanes::Scalar;
    using Constants = HyperbolicTangent<T>;
    const V size = at_most<Lanes>(Lanes::magnitude(x), Constants::one_from);
    const V square = size * size;
    const V near = Lanes::multiply_add(square * size, polynomial<Lanes>(square, Constants::t), size);
    const Powers<Lanes> parts = powers<Lanes>(size + size);
    const V power = Lanes::power_of_two(parts.n);
    const V far = T(1) - T(2) / Lanes::multiply_add(power, parts.rest, power + T(1));
    return Lanes::copy_sign(size < Lanes::all(T(0.55)) ? near : far, x);
}

}  // namespace
}  // namespace tenrex::kernels
