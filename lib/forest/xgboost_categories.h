// The labels of categories in a model that XGBoost has trained on a data frame.
#pragma once

#include "lib/forest/document.h"
#include "lib/forest/model.h"

namespace tenrex::forest {

// trees: the object with the trees; the labels are its member "cats", where there is one. Codes count the labels of a
// feature. The model has an entry for each feature that has labels. Throws Broken.
void read_xgboost_categories(const Document &document, Document::Id trees, Model &model);

}  // namespace tenrex::forest
