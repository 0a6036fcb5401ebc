// Models of XGBoost: what it saves as JSON or UBJSON, and what it dumps as JSON.
#pragma once

#include <string_view>

#include "lib/forest/document.h"
#include "lib/forest/model.h"

namespace tenrex::forest {

// What Booster.save_model writes.
Result<Model> read_xgboost_model(const Document &document);

// What a dump leaves out.
struct DumpOptions {
    std::string_view feature_map;  // lines of "number name type", as dump_model takes them
    std::uint32_t outputs = 1;     // trees belong to them in turn
    double base_score = 0;         // what sums begin with
};
// What Booster.dump_model writes with dump_format="json".
Result<Model> read_xgboost_dump(const Document &document, const DumpOptions &options);

}  // namespace tenrex::forest
