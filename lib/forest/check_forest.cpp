#include "lib/forest/check_forest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_set>

#include "lib/support/format.h"

namespace tenrex::forest {

namespace {

class Check {
public:
    explicit Check(const Forest &forest)
        : forest_(forest),
          leaves_(forest.leaves.size() / (forest.vector_leaves ? std::max(forest.outputs, 1U) : 1)),
          split_seen_(forest.splits.size()),
          leaf_seen_(leaves_) {}

    std::string run() {
        if (forest_.outputs == 0 || forest_.outputs > most_outputs) {
            return fmt::format("it has {} outputs; from 1 to {} are possible", forest_.outputs, most_outputs);
        }
        if (forest_.initial.size() != forest_.outputs || forest_.divisor == 0 || std::isnan(forest_.divisor) ||
            (forest_.vector_leaves && forest_.leaves.size() % forest_.outputs != 0)) {
            return "its sums do not fit its outputs";
        }
        for (const auto &check : {&Check::names, &Check::sets, &Check::splits, &Check::linear_leaves, &Check::trees}) {
            if (std::string problem = (this->*check)(); !problem.empty()) {
                return problem;
            }
        }
        return {};
    }

private:
    std::string names() {
        std::unordered_set<std::string_view> names;
        for (const std::string &name : forest_.feature_names) {
            if (!names.insert(name).second) {
                return fmt::format("two features have the name '{}'", name);
            }
        }
        return {};
    }

    std::string sets() {
        for (const NumberSet &set : forest_.sets) {
            const auto is_out_of_order = [](double a, double b) { return !(a < b); };
            if (std::adjacent_find(set.members.begin(), set.members.end(), is_out_of_order) != set.members.end() ||
                (set.members.size() == 1 && std::isnan(set.members.front()))) {
                return "the numbers of a set are not in ascending order";
            }
        }
        return {};
    }

    std::string splits() {
        for (const Split &split : forest_.splits) {
            if (split.feature >= forest_.feature_names.size()) {
                return fmt::format("a split tests feature {} of {}", split.feature, forest_.feature_names.size());
            }
            if (split.test == Test::in_set ? split.set >= forest_.sets.size() : std::isnan(split.threshold)) {
                return "a split has no set or threshold";
            }
        }
        return {};
    }

    std::string linear_leaves() {
        std::int64_t last = -1;
        for (const LinearLeaf &linear : forest_.linear_leaves) {
            if (linear.leaf <= last || linear.leaf >= leaves_ || forest_.vector_leaves) {
                return "the linear leaves are not in ascending order";
            }
            last = linear.leaf;
            for (const LinearTerm &term : linear.terms) {
                if (term.feature >= forest_.feature_names.size()) {
                    return fmt::format("a linear leaf takes feature {} of {}", term.feature,
                                       forest_.feature_names.size());
                }
            }
        }
        return {};
    }

    std::string trees() {
        std::vector<std::int32_t> open;
        for (std::size_t number = 0; number < forest_.trees.size(); ++number) {
            const Tree &tree = forest_.trees[number];
            if (tree.output >= forest_.outputs) {
                return fmt::format("tree {} is for output {} of {}", number, tree.output, forest_.outputs);
            }
            open.assign(1, tree.root);
            while (!open.empty()) {
                const std::int32_t at = open.back();
                open.pop_back();
                std::vector<bool> &seen = at >= 0 ? split_seen_ : leaf_seen_;
                const auto place = static_cast<std::uint32_t>(at >= 0 ? at : ~at);
                if (place >= seen.size()) {
                    return fmt::format("tree {} leads to {} {} of {}", number, at >= 0 ? "split" : "leaf", place,
                                       seen.size());
                }
                if (seen[place]) {
                    return fmt::format("{} {} has two places in tree {} or those before it", at >= 0 ? "split" : "leaf",
                                       place, number);
                }
                seen[place] = true;
                if (at >= 0) {
                    open.push_back(forest_.splits[place].when_false);
                    open.push_back(forest_.splits[place].when_true);
                }
            }
        }
        return {};
    }

    const Forest &forest_;
    std::size_t leaves_;
    std::vector<bool> split_seen_;
    std::vector<bool> leaf_seen_;
};

}  // namespace

std::string problem_of(const Forest &forest) {
    return Check(forest).run();
}

}  // namespace tenrex::forest
