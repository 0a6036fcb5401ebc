// Reads tensors of documents: plain lists of numbers fast, everything else as the library reads it.
#pragma once

#include <cstddef>
#include <optional>

#include <tenrex/tensor.h>

#include "tools/rank/value_reader.h"

namespace tenrex::tool {

// Reads [1,2,3], or {"values":[1,2,3]}, with as many numbers as a block has cells. False for every other form, and for
// what is wrong: read_tensor tells.
bool read_flat_cells(JsonCursor &json, const TensorType &type, std::byte *cells);

// Reads a value that begins at `begin` in any form of the language reference: an object with or without a type, or its
// content.
std::optional<Tensor> read_tensor(JsonCursor &json, std::size_t begin, const TensorType &type, ValueProblem &problem);

}  // namespace tenrex::tool
