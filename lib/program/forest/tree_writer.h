// Writes trees one after the other into the memory of a packed forest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/program/forest/packed_forest.h"

namespace tenrex::program {

class TreeWriter {
public:
    TreeWriter(const PackedForest &forest, std::byte *memory, const KnownBytes &known);

    // All of them, and the head.
    void write();

private:
    // A split or a leaf of the tree that is being written.
    struct Place {
        std::int32_t own;          // a split of the forest, or ~leaf
        std::uint32_t child = 0;   // the place of the first child
        std::uint32_t split = 0;   // its number among the splits
        std::uint32_t leaves = 1;  // below it
        std::uint32_t first_leaf = 0;
        std::uint32_t depth = 0;
    };

    // The split or leaf that known features lead to.
    std::int32_t undecided(std::int32_t at) const noexcept;
    void lay_out(std::int32_t root);
    void write_tree(kernels::ForestTree &tree);
    void write_splits();
    template <class Node>
    void write_nodes();
    void write_values();
    void finish();

    const PackedForest &forest_;
    std::byte *memory_;
    KnownBytes known_;
    std::vector<Place> places_;
    std::vector<bool> used_;  // features
    std::uint32_t split_count_ = 0;
    std::uint32_t node_count_ = 0;
    std::uint32_t value_count_ = 0;
};

}  // namespace tenrex::program
