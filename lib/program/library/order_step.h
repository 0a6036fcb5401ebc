// A step that ranks cells by their size.
#pragma once

#include <cstdint>
#include <string>
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

}  // namespace tenrex::program
