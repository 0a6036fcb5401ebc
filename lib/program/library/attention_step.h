// A step that weights the rows of values by how well queries match keys.
#pragma once

#include <optional>
#include <string>

#include "lib/kernels/attention/attention_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"

namespace tenrex::program {

class AttentionStep : public Step {
public:
    // Cells of the kernel's type; those of the mask are floats. With an index the rows of a document are its blocks,
    // else all of them are in its only block.
    struct Rows {
        CellsSlot cells;
        IndexSlot index;
        std::size_t bytes = 0;                       // of a block
        std::size_t count = 1;                       // without an index
        std::ptrdiff_t row = 0, head = 0, cell = 1;  // strides in cells
    };
    // A mask with a block for each pair of a query and a key: where they are among the blocks of both.
    struct Pairs {
        IndexSlot index;
        MapSlot queries, keys;
        BlockUse mask;
        std::size_t heads = 1;    // that a block has cells for; 1: the same for all of them
        std::ptrdiff_t head = 1;  // from one to the next, in cells
    };
    struct Shape {
        Rows queries, keys, values;
        std::optional<Rows> mask;
        std::optional<Pairs> pairs;
        std::size_t heads = 1, width = 1, columns = 1;
        Target target;
    };
    // call: the numbers and the strides of the result; the rest is found when the step runs.
    AttentionStep(const Shape &shape, const kernels::Attention &call, const kernels::AttentionKernel *kernel)
        : shape_(shape), call_(call), kernel_(kernel) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override;

private:
    void run_heads(const Frame &frame, std::size_t document, std::size_t first, std::size_t count, std::byte *target,
                   float *pairs, std::byte *room) const;
    // The mask of some heads as rows, one head after the other.
    kernels::Attention::Rows mask_of_pairs(const Frame &frame, std::size_t document, std::size_t first,
                                           const kernels::Attention &call, float *cells) const;

    Shape shape_;
    kernels::Attention call_;
    const kernels::AttentionKernel *kernel_;
};

}  // namespace tenrex::program
