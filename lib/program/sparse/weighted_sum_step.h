// A step that adds up blocks with weights.
#pragma once

#include <string>
#include <utility>

#include "lib/kernels/elementwise/elementwise_kernels.h"
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
    // matcher: of all labels of both. multiply_add: for cells of that type.
    WeightedSumStep(Matcher matcher, const Shape &shape, const kernels::ElementwiseKernel *multiply_add)
        : matcher_(std::move(matcher)), shape_(shape), multiply_add_(multiply_add) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*multiply_add_); }
    CellsSlot result() const override { return shape_.target; }

private:
    template <class Cell>
    void run_as(Frame &frame) const;
    template <class Cell>
    void add_to_zero(const std::byte *block, const std::byte *weight, std::byte *target) const;
    template <class Cell>
    void look_up(Frame &frame) const;

    Matcher matcher_;
    Shape shape_;
    const kernels::ElementwiseKernel *multiply_add_;
};

}  // namespace tenrex::program
