// A step that rounds float cells to cells of fewer bits by a kernel.
#pragma once

#include <optional>
#include <string>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"

namespace tenrex::program {

class RoundStep : public Step {
public:
    struct Shape {
        BlockUse operand;
        std::size_t rows = 1;  // of a block
        std::size_t length = 1;
        // One float for each row, if they are rounded to whole numbers.
        std::optional<BlockUse> middle, factor;
        Target target;
    };
    RoundStep(const Shape &shape, const kernels::ConversionKernel *kernel) : shape_(shape), kernel_(kernel) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override;

private:
    bool is_one_run(const Frame &frame) const;
    void run_rows(const Frame &frame, const kernels::RowConversion &call) const;
    void share_rows(const Frame &frame, const kernels::RowConversion &call) const;

    Shape shape_;
    const kernels::ConversionKernel *kernel_;
};

}  // namespace tenrex::program
