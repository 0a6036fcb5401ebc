// The dimensions of what makes mapped dimensions indexed, or the other way round, and splits or joins indexed ones.
#pragma once

#include "lib/ir/dimension_views.h"
#include "lib/ir/infer.h"

namespace tenrex::ir {

Problem reshaped(const TensorType &operand, const Reshape &reshape, DimensionViews &result);
Problem to_mapped(const TensorType &operand, const ToMapped &change, DimensionViews &result);
Problem to_indexed(const TensorType &operand, const ToIndexed &change, DimensionViews &result);

}  // namespace tenrex::ir
