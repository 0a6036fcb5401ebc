// Names that mean something in profiles.
#pragma once

#include <algorithm>
#include <string_view>

#include "lib/types/characters.h"

namespace tenrex::profile {

// Whether expressions can call a function or argument by that name.
constexpr bool is_callable_name(std::string_view name) noexcept {
    return !name.empty() && is_identifier_start(name.front()) && !is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), is_identifier_char);
}

// Functions of the scores of all hits; only the global phase knows those.
inline constexpr std::string_view linear_name = "normalize_linear";
inline constexpr std::string_view reciprocal_rank_name = "reciprocal_rank";
inline constexpr std::string_view fusion_name = "reciprocal_rank_fusion";
inline constexpr std::string_view normalizer_names[] = {linear_name, reciprocal_rank_name, fusion_name};

// Features that the library computes.
inline constexpr std::string_view runtime_features[] = {"age",
                                                        "attribute",
                                                        "closeness",
                                                        "closest",
                                                        "constant",
                                                        "distance",
                                                        "firstPhase",
                                                        "freshness",
                                                        "now",
                                                        "query",
                                                        "random",
                                                        "secondPhase",
                                                        "rankingExpression",
                                                        "tensorFromLabels",
                                                        "tensorFromStructs",
                                                        "tensorFromWeightedSet",
                                                        "value"};

inline constexpr std::string_view unknown_name_hint =
    "a name is a function, a constant or a feature; inputs are written query(name)";
inline constexpr std::string_view unknown_feature_hint =
    "features that the engine computes must be declared: with ProfileOptions::features, or with --feature of the "
    "program; "
    "--feature '*' declares all that engines are known to have";
inline constexpr std::string_view unknown_attribute_hint =
    "fields of a schema block with 'indexing: attribute' are attributes, and those declared with "
    "ProfileOptions::attributes, or --attribute of the program";

inline constexpr std::string_view undeclared_type_hint =
    "declare its type: in a schema block, with ProfileOptions::attributes, or --attribute of the program";

}  // namespace tenrex::profile
