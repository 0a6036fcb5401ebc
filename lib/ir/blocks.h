// Which values have blocks at the same addresses.
#pragma once

#include "lib/ir/graph.h"

namespace tenrex::ir {

// Whether the value is made from `with` block by block, so that it has all its addresses: by operations
// that keep blocks, other names for indexed dimensions and peeks at known indexes.
bool has_blocks_of(const Graph &graph, NodeId value, NodeId with);

}  // namespace tenrex::ir
