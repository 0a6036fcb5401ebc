// Cells in another order of their dimensions.
#pragma once

#include <string>
#include <vector>

#include "lib/lower/context.h"

namespace tenrex::lower {

// With the indexed dimensions in that order; those of size 1 may be left out.
Value permuted(Context &context, const Value &value, const TensorType &type, const std::vector<std::string> &order);
CellsSlot in_layout(Context &context, ir::NodeId node, CellType cell_type, const std::vector<std::string> &order);

}  // namespace tenrex::lower
