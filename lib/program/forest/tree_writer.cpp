#include "lib/program/forest/tree_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenrex::program {

namespace {

// What ranks and the end of a block cost beside its splits, in splits.
constexpr double splits_of_a_block = 64;
// Trees that kernels walk through at a time.
constexpr std::size_t walked_trees = 8;

template <class T>
T *item_at(std::byte *memory, std::size_t place, std::size_t index) {
    return reinterpret_cast<T *>(memory + place) + index;
}

}  // namespace

TreeWriter::TreeWriter(const PackedForest &forest, std::byte *memory, const KnownBytes &known)
    : forest_(forest), memory_(memory), known_(known), used_(forest.ranked().features.size()) {}

std::int32_t TreeWriter::undecided(std::int32_t at) const noexcept {
    const RankedForest &ranked = forest_.ranked();
    while (at >= 0) {
        const RankedSplit &split = ranked.splits[static_cast<std::size_t>(at)];
        if (known_.bytes == nullptr || !(*known_.is_known)[ranked.features_of_columns[split.column]]) {
            break;
        }
        at = known_.bytes[split.column] <= split.key ? split.when_true : split.when_false;
    }
    return at;
}

// Level by level, the two children of a split beside each other.
void TreeWriter::lay_out(std::int32_t root) {
    places_.clear();
    places_.push_back({undecided(root)});
    std::uint32_t splits = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].own < 0) {
            continue;
        }
        const RankedSplit &split = forest_.ranked().splits[static_cast<std::size_t>(places_[i].own)];
        used_[forest_.ranked().features_of_columns[split.column]] = true;
        places_[i].child = static_cast<std::uint32_t>(places_.size());
        places_[i].split = splits++;
        const std::uint32_t depth = places_[i].depth + 1;
        for (const std::int32_t child : {split.when_true, split.when_false}) {
            places_.push_back({undecided(child)});
            places_.back().depth = depth;
        }
    }
    for (std::size_t i = places_.size(); i-- > 0;) {
        if (const Place &place = places_[i]; place.own >= 0) {
            places_[i].leaves = places_[place.child].leaves + places_[place.child + 1].leaves;
        }
    }
    for (const Place &place : places_) {
        if (place.own >= 0) {
            places_[place.child].first_leaf = place.first_leaf;
            places_[place.child + 1].first_leaf = place.first_leaf + places_[place.child].leaves;
        }
    }
}

void TreeWriter::write_splits() {
    auto *out = item_at<kernels::ForestSplit>(memory_, forest_.places_.splits, split_count_);
    for (const Place &place : places_) {
        if (place.own < 0) {
            continue;
        }
        const RankedSplit &split = forest_.ranked().splits[static_cast<std::size_t>(place.own)];
        const auto child = [&](std::size_t number) {
            const Place &own = places_[place.child + number];
            return own.own < 0 ? kernels::ForestSplit::nowhere : static_cast<std::uint8_t>(own.split);
        };
        *out++ = {static_cast<std::uint16_t>(split.column), split.key,
                  static_cast<std::uint8_t>(places_[place.child + 1].first_leaf), child(0), child(1)};
    }
}

template <class Node>
void TreeWriter::write_nodes() {
    auto *const out = item_at<Node>(memory_, forest_.places_.nodes, node_count_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place &place = places_[i];
        Node &node = out[i];
        if (place.own < 0) {
            node = Node();
            node.key = static_cast<decltype(node.key)>(place.first_leaf);
        } else {
            const RankedSplit &split = forest_.ranked().splits[static_cast<std::size_t>(place.own)];
            node.column = static_cast<decltype(node.column)>(split.column);
            node.key = split.key;
            node.distance = static_cast<decltype(node.distance)>(place.child - i);
        }
    }
}

void TreeWriter::write_values() {
    const std::vector<double> &leaves = forest_.forest().leaves;
    for (const Place &place : places_) {
        if (place.own >= 0) {
            continue;
        }
        const auto leaf = static_cast<std::uint32_t>(~place.own);
        const std::size_t number = value_count_ + place.first_leaf;
        switch (forest_.values()) {
            case PackedForest::Values::doubles:
                *item_at<double>(memory_, forest_.places_.values, number) = leaves[leaf];
                break;
            case PackedForest::Values::floats:
                *item_at<float>(memory_, forest_.places_.values, number) = static_cast<float>(leaves[leaf]);
                break;
            case PackedForest::Values::leaf_numbers:
                *item_at<std::uint32_t>(memory_, forest_.places_.values, number) = leaf;
                break;
        }
    }
}

void TreeWriter::write_tree(kernels::ForestTree &tree) {
    const std::uint32_t leaves = places_.front().leaves;
    tree.first_split = split_count_;
    tree.split_count = leaves - 1;
    tree.first_node = node_count_;
    tree.depth = places_.back().depth;
    tree.first_value = value_count_;
    tree.leaf_count = leaves;
    if (forest_.has_blocks()) {
        write_splits();
    }
    forest_.has_large_nodes() ? write_nodes<kernels::LargeForestNode>() : write_nodes<kernels::ForestNode>();
    write_values();
    split_count_ += tree.split_count;
    node_count_ += static_cast<std::uint32_t>(places_.size());
    value_count_ += leaves;
}

void TreeWriter::write() {
    double levels = 0;
    std::uint32_t deepest = 0;
    const std::vector<forest::Tree> &trees = forest_.forest().trees;
    auto *const out = item_at<kernels::ForestTree>(memory_, forest_.places_.trees, 0);
    for (std::size_t i = 0; i < trees.size(); ++i) {
        lay_out(trees[i].root);
        write_tree(out[i]);
        out[i].output = trees[i].output;
        deepest = std::max(deepest, out[i].depth);
        if (i % walked_trees == walked_trees - 1 || i + 1 == trees.size()) {
            levels += static_cast<double>(deepest * (i % walked_trees + 1));
            deepest = 0;
        }
    }
    // What kernels may read, but nothing depends on.
    std::fill(memory_ + forest_.places_.values + value_count_ * forest_.value_size(), memory_ + forest_.bytes(),
              std::byte{0});
    PackedForest::Head head;
    auto *const used = item_at<std::uint32_t>(memory_, forest_.places_.used, 0);
    for (std::uint32_t feature = 0; feature < used_.size(); ++feature) {
        if (used_[feature]) {
            used[head.used_count++] = feature;
        }
    }
    head.split_count = split_count_;
    head.least_documents = std::numeric_limits<std::uint32_t>::max();
    if (forest_.has_blocks()) {
        const kernels::ForestKernel &kernel = forest_.kernel();
        const double block = kernel.cost.per_cell * (split_count_ + splits_of_a_block);
        head.least_documents =
            static_cast<std::uint32_t>(std::ceil(block / std::max(1.0, levels * kernel.cost_of_level)));
    }
    *item_at<PackedForest::Head>(memory_, 0, 0) = head;
}

}  // namespace tenrex::program
