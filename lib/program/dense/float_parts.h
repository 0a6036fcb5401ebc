// Doubles beside float cells: as the nearest float, or as the sum of two.
//
// What is added to float cells as two floats, first the nearest and then the rest, gives the sum to within one rounding
// more than computing in double and rounding once does, even if the cell and the nearest float cancel: what they leave
// is exact then. Cells need not be widened for it.
#pragma once

#include <cmath>

#include "lib/support/float_range.h"

namespace tenrex::program {

// What the nearest float leaves: a number that changes nothing if that is all of it, or an infinity.
inline double rest_of(double number) {
    const auto nearest = static_cast<double>(static_cast<float>(number));
    return nearest == number || !std::isfinite(nearest) ? -0.0 : number - nearest;  // x + -0 is x, also of -0
}

}  // namespace tenrex::program
