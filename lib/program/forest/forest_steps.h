// Steps that evaluate decision forests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/forest/packed_forest.h"
#include "lib/program/step.h"

namespace tenrex::program {

// What the steps of one forest share.
struct ForestOperands {
    std::shared_ptr<const PackedForest> forest;
    std::vector<BlockUse> uses;          // dense cells, double or float
    std::vector<FeatureSource> sources;  // of the features, in them
    std::optional<BlockUse> base;        // a double that the sums begin with
};

// Memory of a store for what a step writes before others read it: Store::tiles.
struct TilesSlot {
    Stage stage = Stage::constant;
    std::uint32_t number = 0;
};

// Writes the trees that are left when some features are known.
class ForestPruneStep : public Step {
public:
    // is_known: by feature.
    ForestPruneStep(ForestOperands operands, std::vector<bool> is_known, TilesSlot trees);
    void run(Frame &frame) const override;
    std::string describe() const override;
    Work work() const override;

private:
    ForestOperands operands_;
    std::vector<bool> is_known_;
    std::vector<std::uint32_t> known_;  // their numbers
    TilesSlot trees_;
};

class ForestStep : public Step {
public:
    // Of all the trees.
    ForestStep(ForestOperands operands, Target target);
    // Of those that a step has written.
    ForestStep(ForestOperands operands, Target target, TilesSlot trees);
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override;
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    struct Room;
    // What the sums of a document begin with.
    double initial(const Blocks &base, std::size_t document, std::size_t output) const;
    template <class T>
    void sum_blocks(const Frame &frame, const TreesView &trees, const Room &room, std::byte *target) const;
    template <class T>
    void walk(const Frame &frame, const TreesView &trees, const Room &room, std::byte *target) const;

    ForestOperands operands_;
    Target target_;
    bool is_pruned_ = false;
    TilesSlot trees_;               // if it is
    Growing<std::byte> own_trees_;  // if it is not
};

}  // namespace tenrex::program
