// A step that makes labels of indexes.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// Indexed dimensions become mapped: one block for each combination of their indexes.
class ToMappedStep : public Step {
public:
    // A label of the result: of the operand's address, or an index that counts up to `size`, `stride` cells apart.
    struct ResultLabel {
        std::uint16_t position = 0;
        std::size_t size = 0;  // 0: of the address
        std::size_t stride = 0;
    };
    ToMappedStep(BlockUse operand, IndexSlot operand_index, std::size_t operand_width, std::vector<ResultLabel> labels,
                 CopyNest nest, std::size_t cell_bytes, Target target)
        : operand_(operand),
          operand_index_(operand_index),
          operand_width_(operand_width),
          labels_(std::move(labels)),
          nest_(std::move(nest)),
          cell_bytes_(cell_bytes),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "indexes to labels"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    BlockUse operand_;  // dense, or same
    IndexSlot operand_index_;
    std::size_t operand_width_;
    std::vector<ResultLabel> labels_;
    CopyNest nest_;
    std::size_t cell_bytes_;
    Target target_;
};

}  // namespace tenrex::program
