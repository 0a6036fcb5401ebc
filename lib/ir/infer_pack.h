// The dimensions of tensors from scalars.
#pragma once

#include "lib/ir/dimension_views.h"
#include "lib/ir/infer.h"

namespace tenrex::ir {

Problem packed(OperandTypes operands, const Pack &pack, DimensionViews &result);

}  // namespace tenrex::ir
