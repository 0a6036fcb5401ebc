// Forests, walked tree by tree. Features with errors may lead to several leaves of a tree.
#include <algorithm>
#include <cmath>

#include "lib/forest/walk.h"
#include "lib/reference/evaluator.h"

namespace tenrex::reference {

namespace {

using forest::Forest;
using forest::Split;
using forest::Test;

// Whether numbers within the error of the feature may take both branches.
bool may_take_either(const Forest &forest, const Split &split, Number feature) {
    if (feature.error == 0.0) {
        return false;
    }
    const double low = forest::as_tested(forest, feature.value - feature.error);
    const double high = forest::as_tested(forest, feature.value + feature.error);
    if (!std::isfinite(low) || !std::isfinite(high) || split.test == Test::in_set) {
        return true;
    }
    constexpr double zero = 1e-35F;
    if (split.zero_is_missing && low <= zero && high >= -zero) {
        return true;
    }
    return split.test == Test::equal ? low <= split.threshold && split.threshold <= high
                                     : forest::takes_first(forest, split, low) != takes_first(forest, split, high);
}

// How far the value of a leaf may be from that of the leaf which the numbers themselves lead to.
double largest_distance(const Forest &forest, const forest::Tree &tree, std::uint32_t output, double chosen,
                        std::span<const Number> features, std::span<const double> values) {
    double largest = 0.0;
    std::vector<std::int32_t> open{tree.root};
    while (!open.empty()) {
        const std::int32_t at = open.back();
        open.pop_back();
        if (at < 0) {
            const auto leaf = static_cast<std::uint32_t>(~at);
            largest = std::max(largest, distance(forest::leaf_value(forest, leaf, output, values), chosen));
            const forest::LinearLeaf *const linear = forest::linear_leaf(forest, leaf);
            if (linear != nullptr && std::any_of(linear->terms.begin(), linear->terms.end(), [&](const auto &term) {
                    return features[term.feature].error > 0.0;
                })) {
                return undetermined;
            }
            continue;
        }
        const Split &split = forest.splits[static_cast<std::uint32_t>(at)];
        const bool either = may_take_either(forest, split, features[split.feature]);
        const bool first = takes_first(forest, split, forest::as_tested(forest, values[split.feature]));
        if (either || first) {
            open.push_back(split.when_true);
        }
        if (either || !first) {
            open.push_back(split.when_false);
        }
    }
    return largest;
}

// The error of each sum. Roundings only differ where a summand does.
void add_errors(const Forest &forest, std::span<const Number> features, std::span<const double> values,
                std::span<Number> sums) {
    std::vector<double> magnitudes(sums.size());
    for (std::size_t output = 0; output < sums.size(); ++output) {
        magnitudes[output] = std::fabs(forest.initial[output]);
    }
    for (const forest::Tree &tree : forest.trees) {
        const std::uint32_t leaf = leaf_of(forest, tree, values);
        const std::uint32_t first = forest.vector_leaves ? 0 : tree.output;
        const std::uint32_t end = forest.vector_leaves ? forest.outputs : first + 1;
        for (std::uint32_t output = first; output < end; ++output) {
            const double chosen = forest::leaf_value(forest, leaf, output, values);
            const double error = largest_distance(forest, tree, output, chosen, features, values);
            sums[output].error += error;
            magnitudes[output] += std::fabs(chosen) + error;
        }
    }
    const CellType type = forest.sum == forest::SumType::in_float ? CellType::f32 : CellType::f64;
    for (std::size_t output = 0; output < sums.size(); ++output) {
        if (sums[output].error > 0.0) {
            const double roundings = static_cast<double>(forest.trees.size()) + 1.0;
            sums[output].error = (sums[output].error + roundings * unit_in_last_place(type, magnitudes[output])) /
                                 std::fabs(forest.divisor);
        }
    }
}

}  // namespace

Value Evaluator::sums_of_forest(const sema::ForestExpr &expr, std::size_t first_value) {
    const Forest &forest = *expr.forest;
    workspace_.budget.take_steps(forest.trees.size());
    std::vector<Number> features;
    std::vector<double> values;
    for (std::size_t i = 0; i < expr.features.size(); ++i) {
        features.push_back(values_[first_value + i].number());
        values.push_back(features.back().value);
    }
    std::vector<double> results(forest.outputs);
    walk(forest, values, results);
    std::vector<Number> sums;
    sums.reserve(results.size());
    for (const double result : results) {
        sums.push_back({result});
    }
    if (workspace_.bounds && std::any_of(features.begin(), features.end(), [](Number f) { return f.error > 0.0; })) {
        workspace_.budget.take_steps(forest.splits.size());
        add_errors(forest, features, values, sums);
    }
    if (expr.type->is_scalar()) {
        return sums.front();
    }
    Blocks blocks(workspace_.budget, *expr.type);
    blocks.append({});
    for (std::size_t output = 0; output < sums.size(); ++output) {
        blocks.set(0, output, sums[output]);
    }
    return Value(std::move(blocks));
}

}  // namespace tenrex::reference
