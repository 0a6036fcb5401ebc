// Bits that a contraction reads where they are packed.
#pragma once

#include <optional>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// By node, whether it gets a value of its own: what the outputs reach, without bits that are unpacked for contractions
// alone, which a kernel unpacks as it reads them.
std::vector<bool> needed_nodes(const ir::Graph &graph);
// What bits become that a kernel unpacks as it reads them.
inline constexpr CellType unpacked_in_place = CellType::f32;
// The packed bits that a node without a value stands for.
std::optional<ir::NodeId> packed_bits(const ir::Graph &graph, ir::NodeId node);

}  // namespace tenrex::optimizer
