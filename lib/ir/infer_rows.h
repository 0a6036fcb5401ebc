// The dimensions of what is done with the rows of open dimensions, and of attention.
#pragma once

#include <string>

#include "lib/ir/dimension_views.h"
#include "lib/ir/infer.h"

namespace tenrex::ir {

Problem sized(OperandTypes operands, DimensionViews &result);
Problem attended(OperandTypes operands, const Attention &attention, DimensionViews &result);
Problem appended(OperandTypes operands, const std::string &along, DimensionViews &result);

}  // namespace tenrex::ir
