// How much each feature adds to the sums of a forest.
#pragma once

#include <span>
#include <vector>

#include <tenrex/result.h>

#include "lib/forest/model.h"

namespace tenrex::forest {

// Path-dependent TreeSHAP: for each output a number for each of model.features, then the expected sum. features: of the
// forest.
Result<std::vector<double>> contributions(const Model &model, std::span<const double> features);

}  // namespace tenrex::forest
