#include "optimizer/passes/fuse/forest_trees.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "optimizer/matcher.h"

namespace tenrex::optimizer {

namespace {

struct Comparison {
    ScalarFunction function;
    forest::Test test;
    bool is_opposite;
    bool holds_for_nan;
};
// Of a scalar with a number, and of a number with a scalar.
constexpr Comparison comparisons[] = {
    {ScalarFunction::less, forest::Test::less, false, false},
    {ScalarFunction::less_equal, forest::Test::less_equal, false, false},
    {ScalarFunction::greater, forest::Test::less_equal, true, false},
    {ScalarFunction::greater_equal, forest::Test::less, true, false},
    {ScalarFunction::equal, forest::Test::equal, false, false},
    {ScalarFunction::not_equal, forest::Test::equal, true, true},
};
constexpr Comparison exchanged[] = {
    {ScalarFunction::greater, forest::Test::less, false, false},
    {ScalarFunction::greater_equal, forest::Test::less_equal, false, false},
    {ScalarFunction::less, forest::Test::less_equal, true, false},
    {ScalarFunction::less_equal, forest::Test::less, true, false},
    {ScalarFunction::equal, forest::Test::equal, false, false},
    {ScalarFunction::not_equal, forest::Test::equal, true, true},
};

std::optional<TreeCondition> comparison(const ir::Graph &graph, const ir::Node &node) {
    if (node.op != ir::Op::apply || node.operands.size() != 2) {
        return std::nullopt;
    }
    const bool number_first = graph[node.operands[0]].is_number();
    const ir::NodeId feature = node.operands[number_first ? 1 : 0];
    const ir::Node &number = graph[node.operands[number_first ? 0 : 1]];
    if (!number.is_number() || std::isnan(number.number()) || !graph[feature].type->is_scalar()) {
        return std::nullopt;
    }
    for (const Comparison &known : number_first ? exchanged : comparisons) {
        if (applies(node, known.function)) {
            return TreeCondition{feature, known.test, number.number(), {}, known.is_opposite, known.holds_for_nan};
        }
    }
    return std::nullopt;
}

std::optional<TreeCondition> membership(const ir::Graph &graph, const ir::Node &node) {
    if (node.op != ir::Op::in_set || !graph[node.operands[0]].type->is_scalar()) {
        return std::nullopt;
    }
    TreeCondition condition{node.operands[0], forest::Test::in_set};
    for (const double member : node.as<ir::InSet>().members) {
        if (!std::isnan(member)) {
            condition.members.push_back(member);
        }
    }
    return condition;
}

// A scalar that is equal to some numbers: x==1 || x==2 || x in [3,4].
bool make_set(TreeCondition &condition) {
    if (condition.test == forest::Test::equal) {
        condition.members.assign(1, condition.threshold);
        condition.test = forest::Test::in_set;
    }
    return condition.test == forest::Test::in_set && !condition.is_opposite;
}

std::optional<TreeCondition> simple_condition(const ir::Graph &graph, const ir::Node &node) {
    std::optional<TreeCondition> condition = comparison(graph, node);
    return condition ? condition : membership(graph, node);
}

std::optional<TreeCondition> one_of(const ir::Graph &graph, ir::NodeId id) {
    std::optional<TreeCondition> all;
    std::vector<ir::NodeId> pending{id};
    while (!pending.empty()) {
        const ir::Node &node = graph[pending.back()];
        pending.pop_back();
        if (applies(node, ScalarFunction::logical_or)) {
            pending.insert(pending.end(), node.operands.begin(), node.operands.end());
            continue;
        }
        std::optional<TreeCondition> own = simple_condition(graph, node);
        if (!own || !make_set(*own) || (all && all->feature != own->feature)) {
            return std::nullopt;
        }
        if (all) {
            all->members.insert(all->members.end(), own->members.begin(), own->members.end());
        } else {
            all = std::move(own);
        }
    }
    return all;
}

std::optional<TreeCondition> condition_of(const ir::Graph &graph, ir::NodeId id) {
    bool is_not = false;
    while (applies(graph[id], ScalarFunction::logical_not)) {
        id = graph[id].operands[0];
        is_not = !is_not;
    }
    std::optional<TreeCondition> condition =
        applies(graph[id], ScalarFunction::logical_or) ? one_of(graph, id) : simple_condition(graph, graph[id]);
    if (condition && is_not) {
        condition->is_opposite = !condition->is_opposite;
        condition->holds_for_nan = !condition->holds_for_nan;
    }
    return condition;
}

bool is_choice(const ir::Node &node) {
    return node.op == ir::Op::select && node.type->is_scalar();
}

}  // namespace

TreeNodes::TreeNodes(const ir::Graph &graph) : graph_(graph), splits_(graph.size(), none) {
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
        const ir::Node &node = graph[id];
        if (node.is_number()) {
            splits_[id] = 0;
        } else if (is_choice(node) && is_tree(node.operands[1]) && is_tree(node.operands[2]) &&
                   condition_of(graph, node.operands[0])) {
            splits_[id] = std::min(most_splits, splits_[node.operands[1]] + splits_[node.operands[2]] + 1);
        }
    }
}

std::string_view TreeNodes::reason(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    if (!is_choice(node) || is_tree(id)) {
        return {};
    }
    const bool first = is_tree(node.operands[1]);
    const bool other = is_tree(node.operands[2]);
    if (first && other) {
        const bool is_large = splits_[node.operands[1]] + splits_[node.operands[2]] != 0;
        return is_large ? "a condition is no comparison of a scalar with a number" : "";
    }
    const std::uint32_t splits = first ? splits_[node.operands[1]] : other ? splits_[node.operands[2]] : 0;
    return splits != 0 ? "a leaf of a tree is no number" : "";
}

std::uint32_t TreeFinder::feature(ir::NodeId id) {
    const auto [found, is_new] = numbers_.emplace(id, static_cast<std::uint32_t>(features_.size()));
    if (is_new) {
        features_.push_back(id);
    }
    return found->second;
}

forest::Split TreeFinder::split(ir::NodeId id, ir::NodeId (&branches)[2]) {
    const ir::Node &node = graph_[id];
    TreeCondition condition = *condition_of(graph_, node.operands[0]);
    branches[0] = node.operands[1];
    branches[1] = node.operands[2];
    if (condition.test == forest::Test::equal || condition.test == forest::Test::in_set) {
        // if(x==1,a,if(x==2,a,b)) asks whether x is one of two numbers.
        while (is_choice(graph_[branches[1]]) && graph_[branches[1]].operands[1] == branches[0]) {
            const ir::Node &next = graph_[branches[1]];
            std::optional<TreeCondition> other = condition_of(graph_, next.operands[0]);
            if (!other || other->feature != condition.feature || !make_set(*other) || condition.is_opposite) {
                break;
            }
            make_set(condition);
            condition.members.insert(condition.members.end(), other->members.begin(), other->members.end());
            branches[1] = next.operands[2];
        }
    }
    forest::Split split;
    split.feature = feature(condition.feature);
    split.test = condition.test;
    split.threshold = condition.threshold;
    split.missing_passes = condition.holds_for_nan != condition.is_opposite;
    if (condition.test == forest::Test::in_set) {
        split.threshold = 0;
        split.set = static_cast<std::uint32_t>(forest_.sets.size());
        std::vector<double> &members = forest_.sets.emplace_back().members;
        members = std::move(condition.members);
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
    }
    if (condition.is_opposite) {
        std::swap(branches[0], branches[1]);
    }
    return split;
}

void TreeFinder::add(ir::NodeId tree, bool is_subtracted) {
    // What is still to be written, and which branch of which split leads to it.
    struct Pending {
        ir::NodeId node;
        std::size_t split;
        bool is_first;
    };
    constexpr std::size_t root = ~std::size_t{0};
    std::vector<Pending> pending{{tree, root, true}};
    const std::size_t number = forest_.trees.size();
    forest_.trees.emplace_back();
    while (!pending.empty()) {
        const Pending next = pending.back();
        pending.pop_back();
        std::int32_t at = 0;
        if (graph_[next.node].is_number()) {
            const double value = graph_[next.node].number();
            at = ~static_cast<std::int32_t>(forest_.leaves.size());
            forest_.leaves.push_back(is_subtracted ? -value : value);
        } else {
            at = static_cast<std::int32_t>(forest_.splits.size());
            ir::NodeId branches[2];
            forest_.splits.push_back(split(next.node, branches));
            pending.push_back({branches[1], forest_.splits.size() - 1, false});
            pending.push_back({branches[0], forest_.splits.size() - 1, true});
        }
        if (next.split == root) {
            forest_.trees[number].root = at;
        } else {
            forest::Split &above = forest_.splits[next.split];
            (next.is_first ? above.when_true : above.when_false) = at;
        }
    }
}

forest::Forest TreeFinder::take_forest() {
    // What a number added to it is.
    forest_.initial = {-0.0};
    for (std::size_t i = 0; i < features_.size(); ++i) {
        forest_.feature_names.push_back("f" + std::to_string(i));
    }
    return std::move(forest_);
}

}  // namespace tenrex::optimizer
