// Dimensions that are split or joined, and no cell changes its place among those along them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tenrex::ir {

// Sizes that both lists are made of, the first ones changing least often: each size of either list is the product of
// one or more that follow each other. Nothing: there are none.
std::optional<std::vector<std::uint64_t>> common_parts(const std::vector<std::uint64_t> &a,
                                                       const std::vector<std::uint64_t> &b);

}  // namespace tenrex::ir
