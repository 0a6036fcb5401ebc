// Types of what an expression makes of other values. A limit bounds what is read and what is stored; a product that is
// summed while it is computed is neither, so its type may have any number of cells that can be addressed.
#pragma once

#include <vector>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

// Of types: nothing but what can be addressed.
Limits no_limits() noexcept;
// A scalar, a double whatever the cell type, if there are no dimensions.
Result<TensorType> derived_type(CellType cell_type, std::vector<Dimension> dimensions);
// The same where nothing can be wrong: for dimensions that one type has, maybe under other names.
TensorType known_type(CellType cell_type, std::vector<Dimension> dimensions);
// Of the smallest value that fits the type: its open dimensions have no index.
TensorType smallest_type(const TensorType &declared);

}  // namespace tenrex
