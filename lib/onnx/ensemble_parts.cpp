#include "lib/onnx/ensemble_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

using forest::Test;

// The number in TreeEnsemble, the text in the older operators, and the test that it is; the exchanged ones lead where
// the test fails.
struct Mode {
    std::int64_t number;
    std::string_view text;
    Test test;
    bool exchanged;
    bool missing_holds;  // NaN != x
};
constexpr Mode modes[] = {
    {0, "BRANCH_LEQ", Test::less_equal, false, false}, {1, "BRANCH_LT", Test::less, false, false},
    {2, "BRANCH_GTE", Test::less, true, false},        {3, "BRANCH_GT", Test::less_equal, true, false},
    {4, "BRANCH_EQ", Test::equal, false, false},       {5, "BRANCH_NEQ", Test::equal, true, true},
    {6, "BRANCH_MEMBER", Test::in_set, false, false},
};
constexpr std::int64_t most_features = std::int64_t{1} << 20;

SplitRow row_of(const EnsembleNode &node, const Mode &mode, std::size_t number, std::int64_t feature, double threshold,
                bool missing_tracks_true) {
    if (feature < 0 || feature >= most_features) {
        node.fail("nodes_featureids",
                  fmt::format("value {} is {}; it must be from 0 to {}", number, feature, most_features - 1));
    }
    SplitRow row;
    row.feature = feature;
    row.split.test = mode.test;
    row.split.threshold = threshold;
    row.split.missing_passes = (missing_tracks_true || mode.missing_holds) != mode.exchanged;
    row.leads_when_false = mode.exchanged;
    return row;
}

void check_threshold(const EnsembleNode &node, std::string_view attribute, std::size_t number, double threshold) {
    if (std::isnan(threshold)) {
        node.fail(attribute, fmt::format("value {} is NaN, which nothing compares with", number));
    }
}

std::uint32_t target_of(const EnsembleNode &node, std::string_view attribute, std::size_t number, std::int64_t target) {
    if (target < 0 || target >= INT32_MAX) {
        node.fail(attribute, fmt::format("value {} is {}, which is no output", number, target));
    }
    return static_cast<std::uint32_t>(target);
}

}  // namespace

EnsembleParts read_listed_nodes(const EnsembleNode &node, const WeightNames &names) {
    const auto trees = node.integers("nodes_treeids");
    const auto ids = node.integers("nodes_nodeids");
    const auto features = node.integers("nodes_featureids");
    const auto texts = node.texts("nodes_modes");
    const auto values = node.numbers("nodes_values");
    const auto when_true = node.integers("nodes_truenodeids");
    const auto when_false = node.integers("nodes_falsenodeids");
    const auto tracks = node.integers("nodes_missing_value_tracks_true");
    const std::size_t count = trees.size();
    node.check_size("nodes_nodeids", ids.size(), count);
    node.check_size("nodes_featureids", features.size(), count);
    node.check_size("nodes_modes", texts.size(), count);
    node.check_size("nodes_values", values.size(), count);
    node.check_size("nodes_truenodeids", when_true.size(), count);
    node.check_size("nodes_falsenodeids", when_false.size(), count);
    if (!tracks.empty()) {
        node.check_size("nodes_missing_value_tracks_true", tracks.size(), count);
    }

    EnsembleParts parts;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> places;  // of a tree and a node: a row, or ~leaf
    std::vector<std::size_t> sources;                                      // of the rows
    std::map<std::int64_t, bool> begun;
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t place = 0;
        if (texts[i] == "LEAF") {
            place = ~static_cast<std::int64_t>(parts.leaves++);
        } else {
            const auto *const mode = std::find_if(std::begin(modes), std::end(modes),
                                                  [&](const Mode &each) { return each.text == texts[i]; });
            if (mode == std::end(modes) || mode->test == Test::in_set) {
                node.fail("nodes_modes", fmt::format("'{}' is no mode", texts[i].substr(0, 100)),
                          "BRANCH_LEQ, _LT, _GTE, _GT, _EQ, _NEQ and LEAF are possible");
            }
            check_threshold(node, "nodes_values", i, values[i]);
            place = static_cast<std::int64_t>(parts.rows.size());
            parts.rows.push_back(row_of(node, *mode, i, features[i], values[i], !tracks.empty() && tracks[i] != 0));
            sources.push_back(i);
        }
        if (!places.emplace(std::pair(trees[i], ids[i]), place).second) {
            node.fail("nodes_nodeids", fmt::format("tree {} has two nodes {}", trees[i], ids[i]));
        }
        if (begun.emplace(trees[i], true).second) {
            parts.roots.push_back(place);  // a tree begins with its first node
        }
    }
    const auto find = [&](std::string_view attribute, std::int64_t tree, std::int64_t id) {
        const auto found = places.find({tree, id});
        if (found == places.end()) {
            node.fail(attribute, fmt::format("tree {} has no node {}", tree, id));
        }
        return found->second;
    };
    for (std::size_t row = 0; row < sources.size(); ++row) {
        const std::size_t i = sources[row];
        parts.rows[row].when_true = find("nodes_truenodeids", trees[i], when_true[i]);
        parts.rows[row].when_false = find("nodes_falsenodeids", trees[i], when_false[i]);
    }

    const auto of_trees = node.integers(names.trees);
    const auto of_nodes = node.integers(names.nodes);
    const auto targets = node.integers(names.targets);
    const auto weights = node.numbers(names.weights);
    node.check_size(names.nodes, of_nodes.size(), of_trees.size());
    node.check_size(names.targets, targets.size(), of_trees.size());
    node.check_size(names.weights, weights.size(), of_trees.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::int64_t place = find(names.nodes, of_trees[i], of_nodes[i]);
        if (place < 0) {  // what some converters write for splits counts for nothing
            parts.weights.push_back(
                {static_cast<std::size_t>(~place), target_of(node, names.targets, i, targets[i]), weights[i]});
        }
    }
    return parts;
}

EnsembleParts read_split_nodes(const EnsembleNode &node) {
    const auto features = node.integers("nodes_featureids");
    const auto numbers = node.numbers("nodes_modes");
    const auto values = node.numbers("nodes_splits");
    const auto tracks = node.integers("nodes_missing_value_tracks_true");
    const auto members = node.numbers("membership_values");
    const std::size_t count = features.size();
    node.check_size("nodes_modes", numbers.size(), count);
    node.check_size("nodes_splits", values.size(), count);
    if (!tracks.empty()) {
        node.check_size("nodes_missing_value_tracks_true", tracks.size(), count);
    }

    EnsembleParts parts;
    const auto targets = node.integers("leaf_targetids");
    const auto weights = node.numbers("leaf_weights");
    node.check_size("leaf_weights", weights.size(), targets.size());
    parts.leaves = weights.size();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        parts.weights.push_back({i, target_of(node, "leaf_targetids", i, targets[i]), weights[i]});
    }

    std::size_t member = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto *const mode = std::find_if(std::begin(modes), std::end(modes), [&](const Mode &each) {
            return static_cast<double>(each.number) == numbers[i];
        });
        if (mode == std::end(modes)) {
            node.fail("nodes_modes", fmt::format("{} is no mode", numbers[i]), "numbers from 0 to 6 are possible");
        }
        const bool in_set = mode->test == Test::in_set;
        if (!in_set) {
            check_threshold(node, "nodes_splits", i, values[i]);
        }
        parts.rows.push_back(
            row_of(node, *mode, i, features[i], in_set ? 0 : values[i], !tracks.empty() && tracks[i] != 0));
        if (in_set) {  // the members of each set end with NaN
            forest::NumberSet set;
            for (; member < members.size() && !std::isnan(members[member]); ++member) {
                set.members.push_back(members[member]);
            }
            if (member++ >= members.size()) {
                node.fail("membership_values", fmt::format("the set of node {} is missing or has no end", i));
            }
            std::sort(set.members.begin(), set.members.end());
            set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
            parts.rows.back().split.set = static_cast<std::uint32_t>(parts.sets.size());
            parts.sets.push_back(std::move(set));
        }
    }
    const auto branch = [&](std::string_view ids_name, std::string_view leafs_name, std::int64_t SplitRow::*to) {
        const auto ids = node.integers(ids_name);
        const auto leafs = node.integers(leafs_name);
        node.check_size(ids_name, ids.size(), count);
        node.check_size(leafs_name, leafs.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t end = leafs[i] != 0 ? parts.leaves : count;
            if (ids[i] < 0 || static_cast<std::uint64_t>(ids[i]) >= end) {
                node.fail(ids_name, fmt::format("value {} is {}, but there are {}", i, ids[i], end));
            }
            parts.rows[i].*to = leafs[i] != 0 ? ~ids[i] : ids[i];
        }
    };
    branch("nodes_truenodeids", "nodes_trueleafs", &SplitRow::when_true);
    branch("nodes_falsenodeids", "nodes_falseleafs", &SplitRow::when_false);
    parts.roots = node.integers("tree_roots");
    for (const std::int64_t root : parts.roots) {
        if (root < 0 || static_cast<std::uint64_t>(root) >= count) {
            node.fail("tree_roots", fmt::format("there is no node {}", root));
        }
    }
    return parts;
}

}  // namespace tenrex::onnx
