// What a model computes with sizes that come with the values, as far as the result is a number or such a size again.
#pragma once

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

enum class SizeOperation : std::uint8_t { none, add, subtract, multiply, divide, equal };
// What it makes of the first two inputs, if there are open sizes among their elements and the results are numbers or
// such sizes again. Nothing: it is computed when the values are there.
std::optional<std::vector<double>> computed_sizes(NodeContext &context, SizeOperation operation, const Shape &shape);

}  // namespace tenrex::onnx
