// Steps that compute cells from the cells of up to three operands that stand at the same place.
#pragma once

#include <optional>
#include <vector>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/row_tiles.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The natural join of up to three operands, cell by cell. All cells have the type of the kernel.
class ElementwiseStep : public Step {
public:
    // nest: over the cells of a block of the result (array 0) and of the operands (arrays 1 to 3); along its run an
    // operand has stride 0 or 1. text: what it computes, for explain.
    ElementwiseStep(const kernels::ElementwiseKernel *kernel, std::vector<BlockUse> operands, LoopNest<4> nest,
                    Target target, std::string text);
    void run(Frame &frame) const override;
    std::string describe() const override { return text_; }
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override {
        const std::size_t cells = target_.bytes / cell_bytes_;
        return blockwise(target_, operands_, operations_for_cell(kernel_->operation) * static_cast<double>(cells));
    }

private:
    // `block`: the first cells of a block, length and fixed operands of a run.
    void run_block(const kernels::Elementwise &block) const;
    void run_cells(const Frame &frame, const kernels::Elementwise &call) const;
    void run_dense(Frame &frame) const;
    void run_indexed(Frame &frame) const;
    void run_tiles(Frame &frame, std::byte *out) const;
    Blocks gathered(Frame &frame, const BlockUse &use, std::size_t bytes, std::size_t count, std::size_t operand) const;

    const kernels::ElementwiseKernel *kernel_;
    std::vector<BlockUse> operands_;
    LoopNest<4> nest_;
    Target target_;
    std::size_t cell_bytes_;
    std::uint32_t fixed_ = 0;        // operands with stride 0 along the run
    std::optional<RowTiles> tiles_;  // of blocks, if an operand has one cell for each
    std::string text_;
};

}  // namespace tenrex::program
