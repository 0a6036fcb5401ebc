// A forest as its kernels read it: tables that turn numbers into bytes, and trees that compare bytes. The trees can be
// written once more without the splits that are decided by features which are known before the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lib/forest/forest.h"
#include "lib/kernels/forest/forest.h"
#include "lib/kernels/forest/forest_kernels.h"
#include "lib/program/forest/ranked_forest.h"

namespace tenrex::program {

// What is known before the documents.
struct KnownBytes {
    const std::uint8_t *bytes = nullptr;          // by column; null: nothing is known
    const std::vector<bool> *is_known = nullptr;  // by feature
};

// Trees in memory that somebody else owns.
struct TreesView {
    const std::uint32_t *used = nullptr;  // the numbers of features that are ranked for them
    std::size_t used_count = 0;
    std::size_t split_count = 0;
    std::size_t least_documents = 0;  // from so many on a block costs less than walking through the trees for each
    const kernels::ForestTree *trees = nullptr;
    const kernels::ForestSplit *splits = nullptr;
    const void *nodes = nullptr;
    const void *values = nullptr;
};

class PackedForest {
public:
    // What is looked up when a leaf is reached.
    enum class Values : std::uint8_t { doubles, floats, leaf_numbers };

    PackedForest(std::shared_ptr<const forest::Forest> forest, std::span<const FeatureSource> sources,
                 kernels::Isa isa);

    const forest::Forest &forest() const noexcept { return *forest_; }
    const RankedForest &ranked() const noexcept { return ranked_; }
    const kernels::ForestKernel &kernel() const noexcept { return *kernel_; }
    Values values() const noexcept { return values_; }
    // Whether leaves are numbers that can be added as they are.
    bool has_plain_leaves() const noexcept { return values_ != Values::leaf_numbers; }
    // Whether blocks of documents can be evaluated, too; else documents are walked one by one.
    bool has_blocks() const noexcept { return has_blocks_; }
    bool has_large_nodes() const noexcept { return has_large_nodes_; }
    std::size_t most_leaves() const noexcept { return most_leaves_; }

    // The memory that trees take, aligned as for kernels.
    std::size_t bytes() const noexcept { return places_.end; }
    void write(std::byte *memory, const KnownBytes &known) const;
    TreesView view(const std::byte *memory) const noexcept;

private:
    friend class TreeWriter;
    // Where things are in the memory; behind the head.
    struct Places {
        std::size_t used = 0, trees = 0, splits = 0, nodes = 0, values = 0, end = 0;
    };
    struct Head {
        std::uint32_t used_count = 0;
        std::uint32_t split_count = 0;
        std::uint32_t least_documents = 0;
    };
    void measure();
    std::size_t value_size() const noexcept;

    std::shared_ptr<const forest::Forest> forest_;
    RankedForest ranked_;
    const kernels::ForestKernel *kernel_ = nullptr;
    Values values_ = Values::doubles;
    bool has_blocks_ = true;
    bool has_large_nodes_ = false;
    std::size_t most_leaves_ = 1;
    std::size_t split_count_ = 0;  // of all trees, as leaves
    std::size_t leaf_count_ = 0;
    Places places_;
};

}  // namespace tenrex::program
