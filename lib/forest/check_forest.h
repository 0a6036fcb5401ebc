// Whether a forest is one: what all who read it rely on.
#pragma once

#include <string>

#include "lib/forest/forest.h"

namespace tenrex::forest {

// What is wrong with it; empty if nothing is. Every number of a feature, split, leaf, set and output exists, every
// split and leaf has one place in one tree, sets ascend, no feature has the name of another one.
std::string problem_of(const Forest &forest);

// The most outputs that a forest may have.
inline constexpr std::uint32_t most_outputs = 65536;

}  // namespace tenrex::forest
