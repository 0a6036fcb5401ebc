// Aggregates.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

// What the node has of a value of that type.
Value reduce_value(Context &context, const ir::Node &node, Aggregator aggregator, Value &operand,
                   const TensorType &from);

}  // namespace tenrex::lower
