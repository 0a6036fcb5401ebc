// What a network consists of, as tenrex model prints it.
#pragma once

#include <string>

#include <tenrex/onnx.h>

namespace tenrex::tool {

// model: null if it cannot be imported.
std::string contents_text(const OnnxContents &contents, const OnnxModel *model);
// A line for each definition that the network becomes.
std::string definitions_text(const OnnxModel &model);

}  // namespace tenrex::tool
