#include "lib/program/forest/packed_forest.h"

#include <algorithm>
#include <utility>

#include "lib/program/forest/tree_writer.h"

namespace tenrex::program {

namespace {

// What bytes can number in the trees of kernels.
constexpr std::size_t most_block_leaves = 256;
constexpr std::size_t most_small_leaves = 128;
constexpr std::size_t most_small_columns = 65536;

}  // namespace

PackedForest::PackedForest(std::shared_ptr<const forest::Forest> forest, std::span<const FeatureSource> sources,
                           kernels::Isa isa)
    : forest_(std::move(forest)), ranked_(rank_splits(*forest_, sources)) {
    const bool in_float = forest_->sum == forest::SumType::in_float;
    if (forest_->vector_leaves || !forest_->linear_leaves.empty()) {
        values_ = Values::leaf_numbers;
    } else {
        values_ = in_float ? Values::floats : Values::doubles;
    }
    measure();
    const bool has_small_columns = ranked_.columns.size() <= most_small_columns;
    has_blocks_ = has_plain_leaves() && most_leaves_ <= most_block_leaves && has_small_columns;
    has_large_nodes_ = most_leaves_ > most_small_leaves || !has_small_columns;
    kernel_ = kernels::choose_forest(in_float ? CellType::f32 : CellType::f64, split_count_, isa);

    std::size_t end = 0;
    const auto place = [&](std::size_t bytes) {
        constexpr std::size_t cache_line = 64;
        return std::exchange(end, (end + bytes + cache_line - 1) / cache_line * cache_line);
    };
    place(sizeof(Head));
    const std::size_t nodes = split_count_ + leaf_count_;
    places_.used = place(ranked_.features.size() * sizeof(std::uint32_t));
    places_.trees = place(forest_->trees.size() * sizeof(kernels::ForestTree));
    places_.splits = place(has_blocks_ ? split_count_ * sizeof(kernels::ForestSplit) : 0);
    places_.nodes = place(nodes * (has_large_nodes_ ? sizeof(kernels::LargeForestNode) : sizeof(kernels::ForestNode)));
    places_.values = place((leaf_count_ + kernels::forest_value_padding) * value_size());
    places_.end = end;
}

std::size_t PackedForest::value_size() const noexcept {
    return values_ == Values::doubles ? sizeof(double) : sizeof(float);
}

void PackedForest::measure() {
    std::vector<std::int32_t> pending;
    for (const forest::Tree &tree : forest_->trees) {
        std::size_t leaves = 0;
        pending.push_back(tree.root);
        while (!pending.empty()) {
            const std::int32_t at = pending.back();
            pending.pop_back();
            if (at < 0) {
                ++leaves;
            } else {
                const RankedSplit &split = ranked_.splits[static_cast<std::size_t>(at)];
                pending.push_back(split.when_true);
                pending.push_back(split.when_false);
            }
        }
        most_leaves_ = std::max(most_leaves_, leaves);
        leaf_count_ += leaves;
        split_count_ += leaves - 1;
    }
}

void PackedForest::write(std::byte *memory, const KnownBytes &known) const {
    TreeWriter(*this, memory, known).write();
}

TreesView PackedForest::view(const std::byte *memory) const noexcept {
    const auto *const head = reinterpret_cast<const Head *>(memory);
    TreesView view;
    view.used = reinterpret_cast<const std::uint32_t *>(memory + places_.used);
    view.used_count = head->used_count;
    view.split_count = head->split_count;
    view.least_documents = head->least_documents;
    view.trees = reinterpret_cast<const kernels::ForestTree *>(memory + places_.trees);
    view.splits = reinterpret_cast<const kernels::ForestSplit *>(memory + places_.splits);
    view.nodes = memory + places_.nodes;
    view.values = memory + places_.values;
    return view;
}

}  // namespace tenrex::program
