// Shapes as people read them.
#pragma once

#include <string>
#include <vector>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// "[n,384]"; an axis of which nothing is known is "?".
std::string shape_text(const std::vector<DimensionData> &shape);

}  // namespace tenrex::onnx
