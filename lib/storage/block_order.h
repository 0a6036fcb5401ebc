// The order in which the blocks of a value are written when the labels of its mapped dimensions nest.
#pragma once

#include <cstddef>
#include <vector>

#include <tenrex/tensor.h>

namespace tenrex {

// The numbers of all blocks such that those with the same first label stand together, among them those with the same
// second label, and so on. Otherwise the blocks keep their order.
std::vector<std::size_t> nested_order(const TensorView &tensor);

}  // namespace tenrex
