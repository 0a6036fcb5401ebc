// Which doubles floats can stand for.
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

}  // namespace tenrex
