// A step that adds up blocks with weights.
#pragma once

#include <string>
#include <utility>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/sparse/matches.h"
#include "lib/program/step.h"

namespace tenrex::program {

// For each document the sum, over the addresses that both operands have, of the block of one times the number of the
// other. A document without such an address gets zeros.
class WeightedSumStep : public Step {
public:
    struct Shape {
        CellsSlot outer, inner;              // of the type of the result
        bool blocks_outside = true;          // the blocks are those of `outer`, the numbers those of `inner`
        std::size_t length = 1;              // cells of a block
        CellType cell_type = CellType::f32;  // or f64
        CellsSlot target;
    };
    // matcher: of all labels of both. kernel: for cells of that type.
    WeightedSumStep(Matcher matcher, const Shape &shape, const kernels::WeightedRowsKernel *kernel)
        : matcher_(std::move(matcher)), shape_(shape), kernel_(kernel) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target; }

private:
    void look_up(Frame &frame) const;
    void run_all(Frame &frame) const;
    void add_up(Frame &frame, std::byte *target, const std::uint32_t *outer, const std::uint32_t *inner,
                std::size_t count) const;

    Matcher matcher_;
    Shape shape_;
    const kernels::WeightedRowsKernel *kernel_;
};

}  // namespace tenrex::program
