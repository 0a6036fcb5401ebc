// A step that normalizes rows by a kernel: softmax, division by the length, standardization.
#pragma once

#include <optional>
#include <string>

#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"

namespace tenrex::program {

class NormalizeStep : public Step {
public:
    // A gain or bias: dense, in the cell type of the rows.
    struct Factor {
        BlockUse use;
        bool by_row = false;  // it has a row for each of the operand's, which is dense; else one for all of a document
    };
    struct Shape {
        BlockUse operand;
        std::size_t rows = 1;  // of a block
        std::optional<Factor> gain, bias;
        Target target;  // cells of the same type and dimensions as the operand's
    };
    // call: the numbers, and the length of a row; the rest is found when the step runs.
    NormalizeStep(Shape shape, const kernels::RowNormalization &call, const kernels::NormalizeKernel *kernel)
        : shape_(shape), call_(call), kernel_(kernel) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override;

private:
    bool is_one_run(const Frame &frame) const;
    void run_rows(const Frame &frame, const kernels::RowNormalization &call) const;
    void share_rows(const Frame &frame, const kernels::RowNormalization &call) const;

    Shape shape_;
    kernels::RowNormalization call_;
    const kernels::NormalizeKernel *kernel_;
};

}  // namespace tenrex::program
