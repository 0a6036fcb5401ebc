// Values of the inputs of random expressions, of any size.
#pragma once

#include <tenrex/tensor.h>

#include "tests/reference/random_sizes.h"
#include "tests/reference/random_source.h"

namespace tenrex::random {

// A number at the edge of what cell types hold: NaN, infinite, tiny, or with more digits than a float has.
double special_number(Source &source);

// A value with some of the labels that its dimensions may have, in any order. With Numbers::any, some values have
// special numbers, few or many.
Tensor value_of_plan(Source &source, const TensorType &type, Numbers numbers, const SizePlan &plan);

}  // namespace tenrex::random
