// Steps that bring cells into the order of their size. NaN come last; equal cells are in the order of their addresses,
// then of their indexes.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The rank of each cell among those of its group; f64.
class OrderStep : public Step {
public:
    // inside: over the cells of a block that are ranked together, in the order of their indexes; outside: over the
    // groups within a block. groups: of the blocks of the index, if some mapped dimensions are not ranked over; ranked:
    // positions of the labels that are. Of a dense operand the index is none.
    OrderStep(BlockUse operand, IndexSlot index, std::size_t width, MapSlot groups, std::vector<std::uint16_t> ranked,
              LoopNest<1> outside, LoopNest<1> inside, bool ascending, bool by_number, Target target)
        : operand_(operand),
          index_(index),
          width_(width),
          groups_(groups),
          ranked_(std::move(ranked)),
          outside_(std::move(outside)),
          inside_(std::move(inside)),
          ascending_(ascending),
          by_number_(by_number),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "order of cells"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    void rank_document(Frame &frame, std::size_t document, std::uint32_t begin, std::uint32_t end,
                       std::byte *cells) const;

    BlockUse operand_;
    IndexSlot index_;
    std::size_t width_;
    MapSlot groups_;
    std::vector<std::uint16_t> ranked_;
    LoopNest<1> outside_, inside_;
    bool ascending_;
    bool by_number_;  // equal cells follow the numbers that their labels are, not their texts
    Target target_;
};

// The blocks whose cells are the first ones in the order: those with a rank below a number.
class TopStep : public Step {
public:
    // ranked: one cell for each block, f32 or f64; kept: a block for each of these; count: the number, f64.
    TopStep(IndexedCells ranked, CellType ranked_type, CellsSlot kept, BlockUse count, std::size_t width,
            bool ascending, Target target);
    void run(Frame &frame) const override;
    std::string describe() const override { return ascending_ ? "the lowest blocks" : "the highest blocks"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    template <class Cell, bool ascending>
    void run_as(Frame &frame) const;

    IndexedCells ranked_;
    CellType ranked_type_;
    CellsSlot kept_;
    BlockUse count_;
    std::vector<std::uint16_t> positions_;  // of all labels
    bool ascending_;
    Target target_;
};

}  // namespace tenrex::program
