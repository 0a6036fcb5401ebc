// Sums of leaves that are more than a number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/forest/walk.h"

namespace tenrex::program {

// What a leaf gives for an output. number(feature) is the document's.
template <class Number>
double leaf_value(const forest::Forest &forest, std::uint32_t leaf, std::size_t output, const Number &number) {
    const double plain =
        forest.vector_leaves ? forest.leaves[std::size_t{leaf} * forest.outputs + output] : forest.leaves[leaf];
    const auto is_before = [](const forest::LinearLeaf &own, std::uint32_t wanted) { return own.leaf < wanted; };
    const auto linear = std::lower_bound(forest.linear_leaves.begin(), forest.linear_leaves.end(), leaf, is_before);
    if (linear == forest.linear_leaves.end() || linear->leaf != leaf) {
        return plain;
    }
    double value = linear->constant;
    for (const forest::LinearTerm &term : linear->terms) {
        const double feature = forest::as_tested(forest, number(term.feature));
        if (std::isnan(feature)) {
            return plain;
        }
        value += term.coefficient * feature;
    }
    return value;
}

// The sums of the forest for a document whose leaf in each tree is known, in T.
template <class T, class Number>
void sum_leaves(const forest::Forest &forest, std::span<const std::uint32_t> leaves, const Number &number,
                std::span<T> sums) {
    for (std::size_t tree = 0; tree < leaves.size(); ++tree) {
        const std::size_t first = forest.vector_leaves ? 0 : forest.trees[tree].output;
        const std::size_t end = forest.vector_leaves ? forest.outputs : first + 1;
        for (std::size_t output = first; output < end; ++output) {
            sums[output] += static_cast<T>(leaf_value(forest, leaves[tree], output, number));
        }
    }
}

}  // namespace tenrex::program
