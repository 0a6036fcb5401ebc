// Names that mean something in profiles.
#pragma once

#include <string_view>

namespace tenrex::profile {

// Functions of the scores of all hits; only the global phase knows those.
inline constexpr std::string_view linear_name = "normalize_linear";
inline constexpr std::string_view reciprocal_rank_name = "reciprocal_rank";
inline constexpr std::string_view fusion_name = "reciprocal_rank_fusion";
inline constexpr std::string_view normalizer_names[] = {linear_name, reciprocal_rank_name, fusion_name};

// Features that the library computes.
inline constexpr std::string_view runtime_features[] = {
    "age", "attribute", "closeness", "constant",    "distance",          "firstPhase",       "freshness",
    "now", "query",     "random",    "secondPhase", "rankingExpression", "tensorFromLabels", "tensorFromWeightedSet"};

}  // namespace tenrex::profile
