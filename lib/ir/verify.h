// What must hold of every graph: checked after each pass.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// The first violation by nodes from number `first` on or by the outputs, or nothing: operands exist and come before
// their users, their number and types fit the operation, result types follow from the operands, stages are the latest
// of the operands. Nodes never change, so those that were verified once need not be again. Takes time in proportion to
// the nodes and their dimensions.
std::optional<std::string> violation(const Graph &graph, NodeId first = 0);

}  // namespace tenrex::ir
