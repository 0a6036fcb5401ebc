// The dimensions of a gather, and whether its payload fits its operands.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/infer.h"

namespace tenrex::ir {

// As infer() does it.
std::optional<std::string> gathered(OperandTypes operands, const Gather &gather, DimensionViews &result);

}  // namespace tenrex::ir
