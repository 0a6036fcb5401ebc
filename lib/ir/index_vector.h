// The indexes of a generator as the graph has them.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// Whether a value holds the index of each cell along its only dimension. It looks at the cells: the graph does so once,
// when it gets a constant, since whoever looks for generators asks of the same constant again and again.
bool holds_indexes(const Tensor &value);
// The dimension of a constant that does.
std::optional<std::string> index_dimension(const Node &node);

}  // namespace tenrex::ir
