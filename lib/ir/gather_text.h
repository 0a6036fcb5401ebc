// The text of a gather's payload:
//
//   (z) if (operand 2) then operand 0{x:(operand 3),y:1} else operand 1
//   split (z) if (index - operand 3 < operand 2) then operand 0{x:(index + operand 4)} else operand 1
//
// The index is that of the cell along the dimension that is split. An operand is one of the node's.
#pragma once

#include <string>

#include "lib/ir/payloads.h"
#include "lib/types/text_reader.h"

namespace tenrex::ir {

std::string text_of(const Gather &gather);
// False: something else stands there. The type of the result has the sizes of its dimensions.
bool read(TextReader &in, const TensorType &type, Gather &gather);

}  // namespace tenrex::ir
