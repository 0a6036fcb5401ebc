// Reads a model of any format, which its first bytes tell.
#pragma once

#include <string_view>

#include "lib/forest/model.h"
#include "lib/forest/xgboost.h"

namespace tenrex::forest {

Result<Model> read_model(std::string_view bytes, const DumpOptions &options = {});

}  // namespace tenrex::forest
