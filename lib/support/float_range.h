// Which doubles floats can stand for, and the floats beside a double.
#pragma once

#include <cmath>
#include <limits>

namespace tenrex {

// Whether rounding the number to float changes it by no more than a rounding: it is neither too large for a float nor
// so small that it would lose digits or become 0.
inline bool has_nearest_float(double number) {
    using Floats = std::numeric_limits<float>;
    const double size = std::fabs(number);
    const bool is_in_range = size >= double{Floats::min()} && size <= double{Floats::max()};
    return is_in_range || number == 0 || !std::isfinite(number);
}

// The least float that is not below the number: a float is less than the one exactly if it is less than the other.
inline float float_from(double number) noexcept {
    const auto nearest = static_cast<float>(number);
    return nearest < number ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

// The largest float that is not above the number: in the same way for floats that are greater.
inline float float_up_to(double number) noexcept {
    return -float_from(-number);
}

}  // namespace tenrex
