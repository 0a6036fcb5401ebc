// Elements that are copies of each other are computed once: exporters expand a mask to all pairs of tokens before they
// compute with it, though it is the same for all of them.
#pragma once

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

// Runs the rule of an operator that computes each element of its own place alone: on what the inputs copy, if that is
// known, and copies the results.
bool import_before_copies(const Operator &rule, NodeContext &context);

}  // namespace tenrex::onnx
