// Between which numbers something lies.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenrex::optimizer {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Of the cells that are numbers, infinities included. Wide enough for the errors of every kernel.
struct Range {
    double low = -infinity;  // -0: a zero may have either sign
    double high = infinity;
    bool may_be_nan = true;

    bool may_be(double number) const noexcept { return low <= number && number <= high; }
    bool may_be_infinite() const noexcept { return std::isinf(low) || std::isinf(high); }
    // Neither a number below 0 nor -0 is among them.
    bool is_never_negative() const noexcept { return !std::signbit(low); }
};

inline Range numbers(double low, double high) noexcept {
    return {low, high, false};
}

// What is one or the other.
inline Range either(Range a, Range b) noexcept {
    const bool signed_zero = !a.is_never_negative() || !b.is_never_negative();
    const double low = std::min(a.low, b.low);
    return {low == 0 && signed_zero ? -0.0 : low, std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

}  // namespace tenrex::optimizer
