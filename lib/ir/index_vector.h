// The indexes of a generator as the graph has them.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// The dimension of a constant that holds the index of each cell along it.
std::optional<std::string> index_dimension(const Node &node);

}  // namespace tenrex::ir
