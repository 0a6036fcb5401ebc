// What plans have packed of the weights that they share, for those who store it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/tensor.h>
#include <tenrex/weight_store.h>

namespace tenrex {

// Matrices of a value in the orders in which kernels read them (OrderedCells): order and cells, which are there as long
// as the plans are.
TENREX_EXPORT std::vector<std::pair<std::string, std::string_view>> packed_of(const WeightStore &store,
                                                                              const Tensor &weights);

// What kernels are chosen for in this process.
TENREX_EXPORT std::string instruction_set();

}  // namespace tenrex
