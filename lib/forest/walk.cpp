#include "lib/forest/walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tenrex::forest {

namespace {

bool is_in(const NumberSet &set, double value) noexcept {
    if (set.only_from_zero && value < 0) {
        return false;
    }
    return std::binary_search(set.members.begin(), set.members.end(), set.truncates ? std::trunc(value) : value);
}

bool is_missing(const Split &split, double value) noexcept {
    constexpr double zero = 1e-35F;
    return std::isnan(value) || (split.zero_is_missing && value >= -zero && value <= zero);
}

}  // namespace

double as_tested(const Forest &forest, double value) noexcept {
    return forest.float_features ? static_cast<double>(static_cast<float>(value)) : value;
}

bool takes_first(const Forest &forest, const Split &split, double value) noexcept {
    if (is_missing(split, value)) {
        return split.missing_passes;
    }
    switch (split.test) {
        case Test::less:
            return value < split.threshold;
        case Test::less_equal:
            return value <= split.threshold;
        case Test::equal:
            return value == split.threshold;
        case Test::in_set:
            return is_in(forest.sets[split.set], value);
    }
    __builtin_unreachable();
}

std::uint32_t leaf_of(const Forest &forest, const Tree &tree, std::span<const double> features) noexcept {
    std::int32_t at = tree.root;
    while (at >= 0) {
        const Split &split = forest.splits[static_cast<std::uint32_t>(at)];
        const double value = as_tested(forest, features[split.feature]);
        at = takes_first(forest, split, value) ? split.when_true : split.when_false;
    }
    return static_cast<std::uint32_t>(~at);
}

const LinearLeaf *linear_leaf(const Forest &forest, std::uint32_t leaf) noexcept {
    const auto found =
        std::lower_bound(forest.linear_leaves.begin(), forest.linear_leaves.end(), leaf,
                         [](const LinearLeaf &linear, std::uint32_t number) { return linear.leaf < number; });
    return found != forest.linear_leaves.end() && found->leaf == leaf ? &*found : nullptr;
}

double leaf_value(const Forest &forest, std::uint32_t leaf, std::uint32_t output,
                  std::span<const double> features) noexcept {
    const double plain =
        forest.vector_leaves ? forest.leaves[std::size_t{leaf} * forest.outputs + output] : forest.leaves[leaf];
    const LinearLeaf *const linear = linear_leaf(forest, leaf);
    if (linear == nullptr) {
        return plain;
    }
    double value = linear->constant;
    for (const LinearTerm &term : linear->terms) {
        const double feature = as_tested(forest, features[term.feature]);
        if (std::isnan(feature)) {
            return plain;
        }
        value += term.coefficient * feature;
    }
    return value;
}

double added(const Forest &forest, double sum, double summand) noexcept {
    if (forest.sum == SumType::in_float) {
        return static_cast<double>(static_cast<float>(sum) + static_cast<float>(summand));
    }
    return sum + summand;
}

void walk(const Forest &forest, std::span<const double> features, std::span<double> sums) noexcept {
    std::copy(forest.initial.begin(), forest.initial.end(), sums.begin());
    for (const Tree &tree : forest.trees) {
        const std::uint32_t leaf = leaf_of(forest, tree, features);
        const std::uint32_t first = forest.vector_leaves ? 0 : tree.output;
        const std::uint32_t end = forest.vector_leaves ? forest.outputs : first + 1;
        for (std::uint32_t output = first; output < end; ++output) {
            sums[output] = added(forest, sums[output], leaf_value(forest, leaf, output, features));
        }
    }
    for (double &sum : sums) {
        sum = forest.sum == SumType::in_float
                  ? static_cast<double>(static_cast<float>(sum) / static_cast<float>(forest.divisor))
                  : sum / forest.divisor;
    }
}

}  // namespace tenrex::forest
