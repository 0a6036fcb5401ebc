// The order in which the nodes of a graph are computed.
#pragma once

#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// Depth first from the outputs: values live from the step that makes them to the last that reads them, so what a node
// needs is computed shortly before it. The operand that takes the most values at a time comes first, as while another
// one is computed its own value is kept (Sethi and Ullman, 1970); else operands come in their order. What no output
// reaches is left out.
std::vector<NodeId> schedule(const Graph &graph);

}  // namespace tenrex::ir
