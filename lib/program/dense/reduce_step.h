// Steps that aggregate cells.
#pragma once

#include <optional>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// What kernels reduce rows by; for an average it is the sum, which floats are added in if that is so. Nothing for
// counts.
std::optional<kernels::ReduceOperation> row_operation(Aggregator aggregator, bool in_float = false);

// What a reduction does with the blocks of its operand.
struct ReduceShape {
    IndexSlot operand_index;  // none: the operand is dense
    CellsSlot operand;
    std::size_t operand_cells = 1;
    std::size_t cells_each = 1;  // of an average by columns: how many cells one of the operand is the sum of
    CellType operand_type = CellType::f64;
    MapSlot groups;  // from the operand's blocks to the target's; none: see below
    // Without groups each block of the operand goes to the target's block of the same number if both have the same
    // index, and to the document's only one if the target has no index.
    Target target;  // cells of the same type as the operand's, or f64
    CellType target_type = CellType::f64;
    std::size_t target_cells = 1;
    LoopNest<2> nest;  // over the cells of an operand's block (array 1) and where they go (array 0)
};

Work work_of(const ReduceShape &shape);

// Any aggregate over any dimensions. Numbers are added in double.
class ReduceStep : public Step {
public:
    // The operand has cells of type f32 or f64. median: the kernel for rows of doubles, if that is the aggregator.
    ReduceStep(ReduceShape shape, Aggregator aggregator, const kernels::ReduceKernel *median)
        : shape_(std::move(shape)), aggregator_(aggregator), median_(median) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return median_ == nullptr ? "" : full_name(*median_); }
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override { return work_of(shape_); }

private:
    template <class Cell, class Accumulator>
    void run_as(Frame &frame) const;
    template <class Cell>
    void run_median(Frame &frame) const;
    template <class Cell>
    void run_cells(Frame &frame) const;
    template <class Accumulator>
    void run_with(Frame &frame) const;
    std::size_t target_block(const Frame &frame, std::size_t document, std::size_t block) const noexcept;

    ReduceShape shape_;
    Aggregator aggregator_;
    const kernels::ReduceKernel *median_;
};

// The same for rows of cells that lie side by side, by a kernel: one number from each row.
class ReduceRowsStep : public Step {
public:
    // rows: of one block of the operand, each `length` cells; the target has as many cells per block.
    ReduceRowsStep(BlockUse operand, std::size_t rows, std::size_t length, Aggregator aggregator,
                   const kernels::ReduceKernel *kernel, CellType target_type, Target target)
        : operand_(operand),
          rows_(rows),
          length_(length),
          aggregator_(aggregator),
          kernel_(kernel),
          target_type_(target_type),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return kernel_ == nullptr ? "" : full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return blockwise(target_, {&operand_, 1}, static_cast<double>(rows_ * length_)); }

private:
    // The kernel's, by the threads of the frame's executor if it is worth it.
    void reduce_rows(const Frame &frame, const kernels::Rows &call) const;

    BlockUse operand_;
    std::size_t rows_;
    std::size_t length_;
    Aggregator aggregator_;
    const kernels::ReduceKernel *kernel_;  // null for count
    CellType target_type_;
    Target target_;
};

}  // namespace tenrex::program
