// The objectives of LightGBM: what its predictions make of the sums.
#pragma once

#include <string_view>

#include <tenrex/result.h>

#include "lib/forest/model.h"

namespace tenrex::forest {

// objective: the name with its parameters, such as "binary sigmoid:1"; empty for one of the user's own. Errors: a name
// or parameter that is not known.
Result<Transform> lightgbm_transform(std::string_view objective);

}  // namespace tenrex::forest
