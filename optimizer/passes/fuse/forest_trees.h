// Decision trees in a graph: choices of numbers by comparisons of scalars with numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/forest/forest.h"
#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// What a choice is made by: a test of a scalar.
struct TreeCondition {
    ir::NodeId feature = 0;
    forest::Test test{};
    double threshold = 0;
    std::vector<double> members{};  // of a set: those that the scalar may be equal to
    bool is_opposite = false;       // it holds for numbers that do not pass the test
    bool holds_for_nan = false;
};

// Which nodes are trees.
class TreeNodes {
public:
    explicit TreeNodes(const ir::Graph &graph);

    // A number is a tree, too.
    bool is_tree(ir::NodeId id) const noexcept { return splits_[id] != none; }
    // How many splits it has when it is written out, at most most_splits.
    std::uint32_t splits(ir::NodeId id) const noexcept { return splits_[id]; }
    // Why a choice between trees, or between one and something else, is none; empty if it is far from it.
    std::string_view reason(ir::NodeId id) const;

    static constexpr std::uint32_t most_splits = 1U << 30;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    const ir::Graph &graph_;
    std::vector<std::uint32_t> splits_;  // by node
};

// Writes trees into a forest, with the scalars that they test as its features.
class TreeFinder {
public:
    explicit TreeFinder(const ir::Graph &graph) : graph_(graph) {}

    // is_subtracted: what the leaves have is.
    void add(ir::NodeId tree, bool is_subtracted);

    forest::Forest take_forest();
    const std::vector<ir::NodeId> &features() const noexcept { return features_; }

private:
    std::uint32_t feature(ir::NodeId id);
    // The split of a choice, and the nodes of its branches.
    forest::Split split(ir::NodeId id, ir::NodeId (&branches)[2]);

    const ir::Graph &graph_;
    forest::Forest forest_;
    std::vector<ir::NodeId> features_;
    std::map<ir::NodeId, std::uint32_t> numbers_;  // of features
};

}  // namespace tenrex::optimizer
