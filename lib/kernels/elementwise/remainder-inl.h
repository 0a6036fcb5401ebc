// Remainders with the sign of the dividend, in vectors: they are exact, as those of fmod are.
#pragma once

#include "lib/kernels/elementwise/by_cell-inl.h"

namespace tenrex::kernels {
namespace {

// What is left of a dividend, in double. A quotient below 2^25 has a product without rounding with each half of the
// divisor's digits, and the differences have no more digits than a double has. A quotient that was rounded up to a
// whole number is one too high; none is too low.
template <class Lanes>
inline typename Lanes::V remainder_in_double(typename Lanes::V dividend, typename Lanes::V divisor) {
    using V = typename Lanes::V;
    constexpr std::int64_t low_digits = (std::int64_t{1} << 27) - 1;
    const V size = Lanes::magnitude(dividend);
    const V by = Lanes::magnitude(divisor);
    const V quotient = Lanes::floor(size / by);
    const V high = Lanes::from_bits(Lanes::bits(by) & ~low_digits);
    const V left = size - quotient * high - quotient * (by - high);
    return Lanes::copy_sign(left < 0 ? left + by : left, dividend);
}

template <class Lanes>
inline typename Lanes::V remainder_of(typename Lanes::V a, typename Lanes::V b) {
    constexpr auto most_quotient = static_cast<typename Lanes::Scalar>(0x1p25);
    const auto compute = [](auto lanes, auto dividend, auto divisor) {
        return remainder_in_double<decltype(lanes)>(dividend, divisor);
    };
    using V = typename Lanes::V;
    using I = typename Lanes::I;
    const V divisor = Lanes::magnitude(b);
    // The remainder by 0 is NaN here, too. The cells behind the last one are divided by 0.
    const I is_near = (Lanes::magnitude(a) / divisor < Lanes::all(most_quotient)) | (divisor == Lanes::all(0));
    const I is_usual = is_near & (divisor < Lanes::all(Lanes::infinity));
    return with_unusual<Lanes>(in_double<Lanes>(compute, a, b), is_usual, a, b,
                               [](double dividend, double by) { return __builtin_fmod(dividend, by); });
}

}  // namespace
}  // namespace tenrex::kernels
