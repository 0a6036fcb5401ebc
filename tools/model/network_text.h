// What a network consists of, as tenrex model prints it.
#pragma once

#include <string>

#include <tenrex/onnx.h>

namespace tenrex::tool {

std::string contents_text(const OnnxContents &contents);
// A line for each definition that the network becomes.
std::string definitions_text(const OnnxModel &model);

}  // namespace tenrex::tool
