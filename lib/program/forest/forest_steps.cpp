#include "lib/program/forest/forest_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lib/program/cell.h"
#include "lib/program/forest/leaf_sums.h"
#include "lib/program/work.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

constexpr std::size_t forest_alignment = Growing<std::byte>::alignment;

std::size_t in_lines(std::size_t bytes) {
    return (bytes + forest_alignment - 1) / forest_alignment * forest_alignment;
}

void find_sources(const Frame &frame, const ForestOperands &operands, kernels::ForestSource *sources) {
    for (const BlockUse &use : operands.uses) {
        const Blocks blocks(frame, use);
        *sources++ = {blocks.data(), blocks.document_stride()};
    }
}

Work forest_work(const ForestOperands &operands) {
    Work work;
    work.flops = static_cast<double>(operands.forest->forest().splits.size());
    for (const BlockUse &use : operands.uses) {
        work.bytes_read += static_cast<double>(use.bytes);
    }
    return work;
}

template <class T>
double divided(T sum, double divisor) {
    return static_cast<double>(sum / static_cast<T>(divisor));
}

}  // namespace

// ---- what is known

ForestPruneStep::ForestPruneStep(ForestOperands operands, std::vector<bool> is_known, TilesSlot trees)
    : operands_(std::move(operands)), is_known_(std::move(is_known)), trees_(trees) {
    const RankedForest &ranked = operands_.forest->ranked();
    for (std::uint32_t feature = 0; feature < is_known_.size(); ++feature) {
        if (is_known_[feature] && ranked.features[feature].column_count != 0) {
            known_.push_back(feature);
        }
    }
}

void ForestPruneStep::run(Frame &frame) const {
    const PackedForest &forest = *operands_.forest;
    std::byte *const sources = frame.scratch->bytes.room(
        in_lines(operands_.uses.size() * sizeof(kernels::ForestSource)) + forest.ranked().columns.size());
    kernels::ForestRanking ranking = forest.ranked().ranking();
    ranking.sources = reinterpret_cast<kernels::ForestSource *>(sources);
    ranking.bytes =
        reinterpret_cast<std::uint8_t *>(sources + in_lines(operands_.uses.size() * sizeof(kernels::ForestSource)));
    ranking.used = known_.data();
    ranking.used_count = known_.size();
    ranking.documents = 1;
    auto *source = reinterpret_cast<kernels::ForestSource *>(sources);
    for (const BlockUse &use : operands_.uses) {
        // Those of documents are not asked for.
        const bool is_there = use.cells.stage <= trees_.stage;
        const Blocks blocks = is_there ? Blocks(frame, use) : Blocks();
        *source++ = {blocks.data(), 0};
    }
    forest.kernel().rank_one(ranking);
    Store &store = *frame.stores[static_cast<int>(trees_.stage)];
    forest.write(store.tiles[trees_.number].room(forest.bytes()), {ranking.bytes, &is_known_});
}

std::string ForestPruneStep::describe() const {
    return fmt::format("the splits of a forest that {} features decide are taken out", known_.size());
}

Work ForestPruneStep::work() const {
    Work work = forest_work(operands_);
    work.bytes_written = static_cast<double>(operands_.forest->bytes());
    return work;
}

// ---- documents

ForestStep::ForestStep(ForestOperands operands, Target target) : operands_(std::move(operands)), target_(target) {
    operands_.forest->write(own_trees_.room(operands_.forest->bytes()), {});
}

ForestStep::ForestStep(ForestOperands operands, Target target, TilesSlot trees)
    : operands_(std::move(operands)), target_(target), is_pruned_(true), trees_(trees) {}

// The scratch memory of a run.
struct ForestStep::Room {
    kernels::ForestSource *sources;
    std::uint8_t *bytes;  // by column
    std::byte *sums;      // by output
    std::byte *leaves;    // by tree, where it leads; if that is no number
};

void ForestStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    const PackedForest &forest = *operands_.forest;
    const TreesView trees = forest.view(
        is_pruned_ ? frame.stores[static_cast<int>(trees_.stage)]->tiles[trees_.number].data() : own_trees_.data());
    const bool in_blocks = forest.has_blocks() && frame.documents >= trees.least_documents;
    const std::size_t width = in_blocks ? kernels::forest_block : 1;
    const std::size_t sources = in_lines(operands_.uses.size() * sizeof(kernels::ForestSource));
    const std::size_t bytes = in_lines(forest.ranked().columns.size() * width);
    const std::size_t sums = in_lines(forest.forest().outputs * width * sizeof(double));
    const std::size_t leaves = forest.has_plain_leaves() ? 0 : forest.forest().trees.size() * sizeof(std::uint32_t);
    std::byte *const memory = frame.scratch->bytes.room(sources + bytes + sums + leaves);
    const Room room{reinterpret_cast<kernels::ForestSource *>(memory),
                    reinterpret_cast<std::uint8_t *>(memory + sources), memory + sources + bytes,
                    memory + sources + bytes + sums};
    find_sources(frame, operands_, room.sources);
    std::memset(room.bytes, 0, width);  // the column of nothing
    if (forest.forest().sum == forest::SumType::in_float) {
        in_blocks ? sum_blocks<float>(frame, trees, room, target) : walk<float>(frame, trees, room, target);
    } else {
        in_blocks ? sum_blocks<double>(frame, trees, room, target) : walk<double>(frame, trees, room, target);
    }
}

namespace {

kernels::ForestRanking ranking_of(const PackedForest &forest, const TreesView &trees,
                                  const kernels::ForestSource *sources, std::uint8_t *bytes) {
    kernels::ForestRanking ranking = forest.ranked().ranking();
    ranking.used = trees.used;
    ranking.used_count = trees.used_count;
    ranking.sources = sources;
    ranking.bytes = bytes;
    return ranking;
}

kernels::ForestWalk walk_of(const PackedForest &forest, const TreesView &trees, const std::uint8_t *bytes) {
    kernels::ForestWalk walk;
    walk.trees = trees.trees;
    walk.tree_count = forest.forest().trees.size();
    walk.nodes = trees.nodes;
    walk.has_large_nodes = forest.has_large_nodes();
    walk.values = trees.values;
    walk.bytes = bytes;
    return walk;
}

}  // namespace

double ForestStep::initial(const Blocks &base, std::size_t document, std::size_t output) const {
    return operands_.base ? load_cell<double>(base.at(document, document), 0)
                          : operands_.forest->forest().initial[output];
}

template <class T>
void ForestStep::sum_blocks(const Frame &frame, const TreesView &trees, const Room &room, std::byte *target) const {
    const PackedForest &packed = *operands_.forest;
    const forest::Forest &forest = packed.forest();
    kernels::ForestRanking ranking = ranking_of(packed, trees, room.sources, room.bytes);
    T *const sums = reinterpret_cast<T *>(room.sums);
    kernels::ForestBlock block;
    block.trees = trees.trees;
    block.tree_count = forest.trees.size();
    block.splits = trees.splits;
    block.values = trees.values;
    block.bytes = room.bytes;
    block.sums = sums;
    block.output_count = forest.outputs;
    const Blocks base = operands_.base ? Blocks(frame, *operands_.base) : Blocks();
    for (std::size_t first = 0; first < frame.documents; first += kernels::forest_block) {
        ranking.first_document = first;
        ranking.documents = std::min(kernels::forest_block, frame.documents - first);
        packed.kernel().rank_block(ranking);
        for (std::size_t output = 0; output < forest.outputs; ++output) {
            for (std::size_t i = 0; i < kernels::forest_block; ++i) {
                sums[output * kernels::forest_block + i] =
                    i < ranking.documents ? static_cast<T>(initial(base, first + i, output)) : T{0};
            }
        }
        packed.kernel().function(block);
        for (std::size_t i = 0; i < ranking.documents; ++i) {
            for (std::size_t output = 0; output < forest.outputs; ++output) {
                store_cell<double>(target, (first + i) * forest.outputs + output,
                                   divided(sums[output * kernels::forest_block + i], forest.divisor));
            }
        }
    }
}

template <class T>
void ForestStep::walk(const Frame &frame, const TreesView &trees, const Room &room, std::byte *target) const {
    const PackedForest &packed = *operands_.forest;
    const forest::Forest &forest = packed.forest();
    kernels::ForestRanking ranking = ranking_of(packed, trees, room.sources, room.bytes);
    kernels::ForestWalk walk = walk_of(packed, trees, room.bytes);
    T *const sums = reinterpret_cast<T *>(room.sums);
    walk.sums = packed.has_plain_leaves() ? room.sums : room.leaves;
    ranking.documents = 1;
    const Blocks base = operands_.base ? Blocks(frame, *operands_.base) : Blocks();
    for (std::size_t document = 0; document < frame.documents; ++document) {
        ranking.first_document = document;
        packed.kernel().rank_one(ranking);
        for (std::size_t output = 0; output < forest.outputs; ++output) {
            sums[output] = static_cast<T>(initial(base, document, output));
        }
        if (packed.has_plain_leaves()) {
            packed.kernel().walk(walk);
        } else {
            packed.kernel().walk_leaves(walk);
            const auto number = [&](std::uint32_t feature) {
                const FeatureSource &source = operands_.sources[feature];
                const kernels::ForestSource &from = room.sources[source.operand];
                const auto *const cell = static_cast<const std::byte *>(from.cells) +
                                         static_cast<std::ptrdiff_t>(document) * from.stride + source.offset;
                return source.cell_type == CellType::f64 ? load_cell<double>(cell, 0) : load_cell<float>(cell, 0);
            };
            const auto *const leaves = reinterpret_cast<const std::uint32_t *>(room.leaves);
            sum_leaves<T>(forest, {leaves, forest.trees.size()}, number, {sums, forest.outputs});
        }
        for (std::size_t output = 0; output < forest.outputs; ++output) {
            store_cell<double>(target, document * forest.outputs + output, divided(sums[output], forest.divisor));
        }
    }
}

std::string ForestStep::describe() const {
    const PackedForest &packed = *operands_.forest;
    const forest::Forest &forest = packed.forest();
    return fmt::format("a forest of {} trees with {} splits, {} leaves at most, over {} features{}{}",
                       forest.trees.size(), forest.splits.size(), packed.most_leaves(), operands_.sources.size(),
                       is_pruned_ ? ", without splits that are decided" : "",
                       packed.has_blocks() ? "" : ", document by document");
}

std::string ForestStep::kernel() const {
    return full_name(operands_.forest->kernel());
}

std::string ForestStep::reasons(kernels::Isa isa) const {
    const PackedForest &packed = *operands_.forest;
    return list_candidates(kernels::forest_candidates(packed.kernel().type, packed.forest().splits.size(), isa));
}

Work ForestStep::work() const {
    Work work = forest_work(operands_);
    work.bytes_written = static_cast<double>(target_.bytes);
    return work;
}

}  // namespace tenrex::program
