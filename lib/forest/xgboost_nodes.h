// One tree as XGBoost saves it: lists with an item for each node.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/forest/document.h"
#include "lib/forest/model_builder.h"

namespace tenrex::forest {

struct XgboostNodes {
    std::vector<std::int32_t> left;  // -1: a leaf
    std::vector<std::int32_t> right;
    std::vector<std::int32_t> features;
    std::vector<double> conditions;
    std::vector<std::int32_t> default_left;
    std::vector<std::int32_t> types;   // 1: categorical
    std::vector<double> leaf_weights;  // of several outputs
    bool leaves_are_numbered = false;  // leaf_weights belong to right[node], not to the node
    std::vector<double> gains;
    std::vector<double> weights;
    std::vector<std::uint32_t> sets;  // of the categorical splits, by node: UINT32_MAX where there is none
};

// Adds the sets of the categorical splits to the builder, and says there whether leaves have several values. Throws
// Broken.
XgboostNodes read_xgboost_nodes(const Document &document, Document::Id tree, ModelBuilder &builder);

}  // namespace tenrex::forest
