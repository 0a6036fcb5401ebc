// The order in which the nodes of a graph are computed.
#pragma once

#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// Depth first from the outputs, operands in their order and before what reads them: values live from the step that
// makes them to the last that reads them, so what a node needs is computed shortly before it. What no output reaches
// is left out.
std::vector<NodeId> schedule(const Graph &graph);

}  // namespace tenrex::ir
