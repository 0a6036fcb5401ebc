// Steps that move cells.
#pragma once

#include <vector>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// One piece of a block of the result, from a block of an operand.
struct CopyPart {
    BlockUse from;
    CopyNest nest;
    std::size_t from_byte = 0;  // where in the operand's block it begins
    std::size_t to_byte = 0;
};

// Blocks put together from pieces of other blocks: slices, other orders of dimensions, concatenations.
class CopyStep : public Step {
public:
    CopyStep(std::vector<CopyPart> parts, Target target) : parts_(std::move(parts)), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    std::vector<CopyPart> parts_;
    Target target_;
};

// A part of a document's dense block, which stays where it is.
class AliasStep : public Step {
public:
    AliasStep(CellsSlot from, std::size_t from_byte, CellsSlot result)
        : from_(from), from_byte_(from_byte), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "view"; }
    CellsSlot result() const override { return result_; }

private:
    CellsSlot from_;
    std::size_t from_byte_;
    CellsSlot result_;
};

// The cells of each block rewritten by a conversion kernel: another cell type, or eight cells from each.
class ConvertStep : public Step {
public:
    // length: cells of a block of the operand.
    ConvertStep(BlockUse from, std::size_t length, const kernels::ConversionKernel *kernel, Target target)
        : from_(from), length_(length), kernel_(kernel), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return blockwise(target_, {&from_, 1}, static_cast<double>(length_)); }

private:
    BlockUse from_;
    std::size_t length_;
    const kernels::ConversionKernel *kernel_;
    Target target_;
};

}  // namespace tenrex::program
