// Quantizing that several operators are made of.
#pragma once

#include <optional>
#include <string>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

struct DynamicallyQuantized {
    std::string text;  // whole numbers from 0 to 255
    Value scale;
    Value zero;
};
// Scale and zero point from the range of the elements, which always has 0 in it. Nothing: told.
std::optional<DynamicallyQuantized> dynamically_quantized(NodeContext &context, const Value &x);

}  // namespace tenrex::onnx
