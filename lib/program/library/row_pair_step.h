// A step that sums products, or what is like products, over cells that lie side by side.
#pragma once

#include <string>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"

namespace tenrex::program {

// For each block of the target, a number from a block of either operand: dot products, distances.
class RowPairStep : public Step {
public:
    // The target's cells are as the kernel writes them, or doubles if it has no addresses. length: cells of b that a
    // row has.
    RowPairStep(BlockUse a, BlockUse b, std::size_t length, kernels::RowPairChoice choice, Target target)
        : a_(choice.swapped ? b : a),
          b_(choice.swapped ? a : b),
          length_(length),
          choice_{choice.kernel, false},
          target_(target),
          widens_(target.bytes > byte_size(choice.kernel->out)) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*choice_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    void run_dense(Frame &frame) const;
    void run_indexed(Frame &frame) const;

    BlockUse a_, b_;
    std::size_t length_;
    kernels::RowPairChoice choice_;
    Target target_;
    bool widens_;
};

}  // namespace tenrex::program
