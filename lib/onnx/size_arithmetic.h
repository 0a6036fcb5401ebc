// What a model computes with sizes that come with the values, as far as the result is a number or such a size again.
#pragma once

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

// Whether one of the two first inputs has open sizes among its elements: then the operator is one of these.
bool is_on_open_sizes(const NodeContext &context) noexcept;

enum class SizeOperation : std::uint8_t { add, subtract, multiply, divide, equal };
bool import_on_open_sizes(NodeContext &context, SizeOperation operation);
// To a type of whole numbers; one size alone also to real numbers, for which it is counted.
bool import_cast_of_open_sizes(NodeContext &context, ElementType to);

}  // namespace tenrex::onnx
