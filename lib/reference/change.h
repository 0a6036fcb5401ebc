// How much the result of a scalar function changes as its arguments change within their errors.
#pragma once

#include <optional>

#include "lib/reference/rounding.h"

namespace tenrex::reference {

// The most that a result may be off by, at least, if that is not to be found at the ends of what the arguments may be;
// nothing: it is there. A function of one argument takes no notice of b. One of the arguments has an error.
std::optional<double> change_inside(ScalarFunction function, Number a, Number b) noexcept;

// Whether a correct evaluation can take it for no other int8 cell.
bool same_int8(Number number) noexcept;

}  // namespace tenrex::reference
