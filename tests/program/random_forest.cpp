#include "tests/program/random_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tenrex::program {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double specials[] = {0.0,   -0.0,   infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                               1e-35, -2e-35, 1e-36,    5e-324,    -5e-324,
                               1e300, -1e300, 1e30,     0.5,       -0.5,
                               -1};

// Thresholds are few enough for documents to meet them.
double threshold_number(std::size_t i) {
    return std::ldexp(static_cast<double>(i % 64) - 20, static_cast<int>(i / 64) - 3);
}

}  // namespace

forest::Split RandomForests::split(const ForestShape &shape, forest::Forest &forest) {
    forest::Split split;
    split.feature = static_cast<std::uint32_t>(below(shape.features));
    split.test = below(2) == 0 ? forest::Test::less : forest::Test::less_equal;
    split.missing_passes = below(2) == 0;
    split.threshold = threshold_number(below(shape.thresholds));
    if (shape.all_tests) {
        split.test = static_cast<forest::Test>(below(4));
        split.zero_is_missing = below(4) == 0;
        if (below(8) == 0) {
            split.threshold = specials[below(std::size(specials))];
        }
        if (split.test == forest::Test::in_set) {
            split.set = static_cast<std::uint32_t>(forest.sets.size());
            forest::NumberSet &set = forest.sets.emplace_back();
            set.truncates = below(2) == 0;
            set.only_from_zero = below(4) == 0;
            for (std::size_t i = below(20); i > 0; --i) {
                set.members.push_back(std::floor(number(-6, 30)) + (below(8) == 0 ? 0.5 : 0));
            }
            if (below(8) == 0) {
                set.members.push_back(below(2) == 0 ? infinity : -infinity);
            }
            std::sort(set.members.begin(), set.members.end());
            set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
        }
    }
    return split;
}

void RandomForests::tree(const ForestShape &shape, forest::Forest &forest) {
    const auto new_leaf = [&] {
        const std::uint32_t values = forest.vector_leaves ? forest.outputs : 1;
        for (std::uint32_t i = 0; i < values; ++i) {
            forest.leaves.push_back(number(-1, 1));
        }
        return ~static_cast<std::int32_t>(forest.leaves.size() / values - 1);
    };
    forest::Tree tree{new_leaf(), static_cast<std::uint32_t>(below(forest.vector_leaves ? 1 : forest.outputs))};
    // Where each leaf hangs: a split and its branch, or the root.
    std::vector<std::pair<std::size_t, bool>> leaves{{0, false}};
    bool is_leaf = true;
    for (std::size_t count = 1 + below(shape.leaves); count > 1; --count) {
        const std::size_t chosen = shape.chains ? leaves.size() - 1 : below(leaves.size());
        const auto [parent, branch] = leaves[chosen];
        std::int32_t &place = is_leaf  ? tree.root
                              : branch ? forest.splits[parent].when_true
                                       : forest.splits[parent].when_false;
        const std::int32_t leaf = place;
        const std::size_t at = forest.splits.size();
        place = static_cast<std::int32_t>(at);
        forest::Split own = split(shape, forest);
        own.when_true = leaf;
        own.when_false = new_leaf();
        if (below(2) == 0) {
            std::swap(own.when_true, own.when_false);
        }
        forest.splits.push_back(own);
        leaves[chosen] = {at, true};
        leaves.emplace_back(at, false);
        is_leaf = false;
    }
    forest.trees.push_back(tree);
}

forest::Forest RandomForests::forest(const ForestShape &shape) {
    forest::Forest forest;
    forest.outputs = shape.outputs;
    for (std::uint32_t i = 0; i < shape.outputs; ++i) {
        forest.initial.push_back(static_cast<double>(i) / 8);
    }
    for (std::size_t i = 0; i < shape.features; ++i) {
        forest.feature_names.push_back("f" + std::to_string(i));
    }
    for (std::size_t i = 0; i < shape.trees; ++i) {
        tree(shape, forest);
    }
    return forest;
}

std::vector<double> RandomForests::document(const forest::Forest &forest) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < forest.feature_names.size(); ++i) {
        double number = std::floor(this->number(-8, 40));
        if (const std::size_t kind = below(8); kind == 0) {
            number = specials[below(std::size(specials))];
        } else if (kind < 5 && !forest.splits.empty()) {
            number = forest.splits[below(forest.splits.size())].threshold;
        } else if (kind == 5) {
            number = this->number(-40, 40);
        }
        switch (below(4)) {
            case 0:
                number = std::nextafter(number, infinity);
                break;
            case 1:
                number = std::nextafter(number, -infinity);
                break;
            case 2:
                number = static_cast<double>(std::nextafter(static_cast<float>(number), 0.0F));
                break;
            default:
                break;
        }
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace tenrex::program
