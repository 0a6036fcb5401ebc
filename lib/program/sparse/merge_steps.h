// Steps that unite the blocks of two values.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The blocks of `a` and of `b`, and those of `both` where both have one. All have the same dimensions.
class MergeStep : public Step {
public:
    MergeStep(IndexedCells a, IndexedCells b, IndexedCells both, std::size_t width, Target target);
    void run(Frame &frame) const override;
    std::string describe() const override { return "merge of blocks"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells a_, b_, both_;
    std::vector<std::uint16_t> key_;
    Target target_;
};

// The same if the addresses of `both` are the join of those of `a` and `b`: its maps tell what belongs together.
class MergeJoinedStep : public Step {
public:
    // a_map, b_map: from the blocks of `both` to those of `a` and `b`.
    MergeJoinedStep(IndexedCells a, IndexedCells b, IndexedCells both, MapSlot a_map, MapSlot b_map, std::size_t width,
                    Target target)
        : a_(a), b_(b), both_(both), a_map_(a_map), b_map_(b_map), width_(width), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "merge of blocks by their join"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    template <std::size_t known_bytes, std::size_t known_width>
    void run_blocks(Frame &frame) const;

    IndexedCells a_, b_, both_;
    MapSlot a_map_, b_map_;
    std::size_t width_;
    Target target_;
};

}  // namespace tenrex::program
