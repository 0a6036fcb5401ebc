// The booster gblinear of XGBoost: a weight for each feature, as trees of one linear leaf.
#pragma once

#include <cstddef>

#include "lib/forest/document.h"
#include "lib/forest/model_builder.h"

namespace tenrex::forest {

// booster: the object with the model. The forest has its outputs and what sums begin with; the bias is added to that.
// Throws Broken, also if there is not one weight for each feature and output.
void read_xgboost_linear(const Document &document, Document::Id booster, std::size_t features, ModelBuilder &builder);

}  // namespace tenrex::forest
