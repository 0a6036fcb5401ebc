// The heads that an encoder of the architecture BERT has lost, as config.json tells them: "pruned_heads", an object of
// layers with the numbers that their heads had in the whole model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/forest/document.h"

namespace tenrex::onnx {

// For each layer, in order.
using PrunedHeads = std::vector<std::vector<std::size_t>>;

// Errors: a layer or a head that is not there, or a layer without any head.
Result<PrunedHeads> pruned_heads(const forest::Document &config, std::int64_t layers, std::int64_t heads);
// The text of config.json with these heads; all else stays as it is. The text is that of an object.
std::string with_pruned_heads(const forest::Document &config, const PrunedHeads &heads);

}  // namespace tenrex::onnx
