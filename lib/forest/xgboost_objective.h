// The objectives of XGBoost: what its predictions make of the sums, and what its base score means.
#pragma once

#include <string_view>

#include <tenrex/result.h>

#include "lib/forest/model.h"

namespace tenrex::forest {

// What a base score is before it begins the sums, in float as the trainer computes it.
enum class BaseScore : std::uint8_t { margin, probability, mean };
float margin_of(BaseScore meaning, float base_score) noexcept;

struct XgboostObjective {
    std::string_view name;
    Link link = Link::identity;
    BaseScore base_score = BaseScore::margin;
};
// Null if there is none of the name.
const XgboostObjective *find_xgboost_objective(std::string_view name) noexcept;

}  // namespace tenrex::forest
