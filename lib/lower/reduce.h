// Aggregates.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

struct Aggregation {
    Aggregator aggregator;
    bool in_float = false;       // a sum of floats may be formed in float
    std::size_t cells_each = 1;  // of an average by columns: how many cells one of the operand is the sum of
};

// What the node has of a value of that type.
Value reduce_value(Context &context, const ir::Node &node, const Aggregation &aggregation, Value &operand,
                   const TensorType &from);

}  // namespace tenrex::lower
