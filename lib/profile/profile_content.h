// What a compiled profile holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>

namespace tenrex {

struct RankProfile::Content {
    std::string name;
    std::vector<ProfileInput> inputs;
    RankPhase first, second;
    GlobalPhase global;
    FeatureOutputs features;
    std::vector<ColumnNeed> columns;
    std::vector<Attribute> attributes;
    std::vector<FeatureProperty> feature_properties;
    std::shared_ptr<LabelTable> labels;
    std::vector<Issue> warnings;
};

}  // namespace tenrex
