// Types made by the rules.
#pragma once

#include <vector>

#include "lib/sema/type_rules.h"

namespace tenrex::sema {

// A scalar is a double whatever the cell type.
TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits);

// For dimensions of a type that was accepted before: no limit applies.
TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions);

}  // namespace tenrex::sema
