// A step that makes indexes of labels.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// Mapped dimensions whose labels are numbers become indexed; what is missing is 0.
class ToIndexedStep : public Step {
public:
    // A label that becomes an index: its position, and how many cells of the result apart.
    struct Becomes {
        std::uint16_t position = 0;
        std::size_t stride = 0;
    };
    // groups: the block of the target for each block of the operand; none if the target is dense.
    ToIndexedStep(IndexedCells operand, std::size_t operand_width, std::size_t operand_bytes, MapSlot groups,
                  std::vector<Becomes> labels, CopyNest nest, std::size_t cell_bytes, Target target)
        : operand_(operand),
          operand_width_(operand_width),
          operand_bytes_(operand_bytes),
          groups_(groups),
          labels_(std::move(labels)),
          nest_(std::move(nest)),
          cell_bytes_(cell_bytes),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "labels to indexes"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells operand_;
    std::size_t operand_width_;
    std::size_t operand_bytes_;
    MapSlot groups_;
    std::vector<Becomes> labels_;
    CopyNest nest_;
    std::size_t cell_bytes_;
    Target target_;
};

}  // namespace tenrex::program
