// Between which numbers the results of scalar functions lie.
#pragma once

#include "lib/support/scalar_function.h"
#include "optimizer/range.h"

namespace tenrex::optimizer {

// Of arguments in these ranges; a function of one argument does not look at the second.
Range range_of(ScalarFunction function, Range a, Range b) noexcept;

// Whether the function gives nothing but 0 and 1.
bool gives_truth(ScalarFunction function) noexcept;

}  // namespace tenrex::optimizer
