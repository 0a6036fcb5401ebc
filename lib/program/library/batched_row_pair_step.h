// A step that sums products, or what is like products, of rows within blocks.
#pragma once

#include <string>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"

namespace tenrex::program {

// For each block of the target, numbers from pairs of rows of a block of either operand: distances to the rows of a
// matrix.
class BatchedRowPairStep : public Step {
public:
    // nest: over the cells of a block of the target (array 0), which are as the kernel writes them, and the rows of a
    // and b that they are made of (arrays 1 and 2); the cells of a run lie side by side. length: cells of b in a row.
    BatchedRowPairStep(BlockUse a, std::size_t a_row_bytes, BlockUse b, std::size_t b_row_bytes, LoopNest<3> nest,
                       std::size_t length, kernels::RowPairChoice choice, Target target)
        : a_(a),
          b_(b),
          a_row_bytes_(static_cast<std::ptrdiff_t>(a_row_bytes)),
          b_row_bytes_(static_cast<std::ptrdiff_t>(b_row_bytes)),
          nest_(std::move(nest)),
          length_(length),
          choice_(choice),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*choice_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    BlockUse a_, b_;
    std::ptrdiff_t a_row_bytes_, b_row_bytes_;
    LoopNest<3> nest_;
    std::size_t length_;
    kernels::RowPairChoice choice_;
    Target target_;
};

}  // namespace tenrex::program
