// What must hold of every graph: checked after each pass.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// The first violation, or nothing: operands exist and come before their users, their number and types fit the
// operation, result types follow from the operands, stages are the latest of the operands.
std::optional<std::string> violation(const Graph &graph);

}  // namespace tenrex::ir
