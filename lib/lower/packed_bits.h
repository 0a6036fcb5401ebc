// Bits that a contraction reads where they are packed.
#pragma once

#include <optional>
#include <vector>

#include "lib/lower/context.h"

namespace tenrex::lower {

// By node, whether it gets a value of its own: what the outputs reach, without bits that are unpacked for contractions
// alone, which a kernel unpacks as it reads them.
std::vector<bool> needed_nodes(const ir::Graph &graph);
// The packed bits that a node without a value stands for.
std::optional<ir::NodeId> bits_read_in_place(const Context &context, ir::NodeId node);

}  // namespace tenrex::lower
