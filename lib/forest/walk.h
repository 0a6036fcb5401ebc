// The value of a forest, computed in the most direct way: what compiled forests are tested against.
#pragma once

#include <cstdint>
#include <span>

#include "lib/forest/forest.h"

namespace tenrex::forest {

// The value as the splits of the forest see it: rounded to float if the forest says so.
double as_tested(const Forest &forest, double value) noexcept;

// Whether the first branch of the split is taken. value: as_tested().
bool takes_first(const Forest &forest, const Split &split, double value) noexcept;

// The leaf of a tree. features: one for each feature of the forest.
std::uint32_t leaf_of(const Forest &forest, const Tree &tree, std::span<const double> features) noexcept;

// The linear leaf that is this leaf; null if it is a plain one.
const LinearLeaf *linear_leaf(const Forest &forest, std::uint32_t leaf) noexcept;

// The value of a leaf for an output of its tree.
double leaf_value(const Forest &forest, std::uint32_t leaf, std::uint32_t output,
                  std::span<const double> features) noexcept;

// One more summand, rounded as sums of the forest are.
double added(const Forest &forest, double sum, double summand) noexcept;

// sums: one for each output.
void walk(const Forest &forest, std::span<const double> features, std::span<double> sums) noexcept;

}  // namespace tenrex::forest
