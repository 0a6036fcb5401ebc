// Steps that take all cells of a sparse value together: the blocks of a document follow each other, so that they are
// one row for a kernel.
#pragma once

#include <string>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// For choosing kernels: how many blocks a document has is known only when it comes.
inline constexpr std::size_t typical_blocks = 64;

// One number from all cells of each document; 0 if it has none.
class ReduceDocumentsStep : public Step {
public:
    // length: cells of a block. kernel: null for a count, which reads no cells. Target: one double per document.
    ReduceDocumentsStep(IndexedCells operand, std::size_t length, Aggregator aggregator,
                        const kernels::ReduceKernel *kernel, CellsSlot target)
        : operand_(operand), length_(length), aggregator_(aggregator), kernel_(kernel), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return kernel_ == nullptr ? "" : full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_; }
    Work work() const override;

private:
    IndexedCells operand_;
    std::size_t length_;
    Aggregator aggregator_;
    const kernels::ReduceKernel *kernel_;
    CellsSlot target_;
};

// The dot product of all cells of a document in two values with the same addresses.
class DotDocumentsStep : public Step {
public:
    // length: cells of a block. Target: one double per document.
    DotDocumentsStep(IndexSlot index, CellsSlot a, CellsSlot b, std::size_t length, kernels::RowPairChoice choice,
                     CellsSlot target)
        : index_(index), a_(a), b_(b), length_(length), choice_(choice), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*choice_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_; }
    Work work() const override;

private:
    IndexSlot index_;
    CellsSlot a_, b_;
    std::size_t length_;
    kernels::RowPairChoice choice_;
    CellsSlot target_;
};

}  // namespace tenrex::program
