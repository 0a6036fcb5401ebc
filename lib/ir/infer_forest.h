// The dimensions of a forest's sums.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/infer.h"

namespace tenrex::ir {

// As infer() of infer.h.
std::optional<std::string> of_forest(OperandTypes operands, const Forest &own, DimensionViews &result);

}  // namespace tenrex::ir
