// A step that adds up blocks with weights.
#pragma once

#include <string>
#include <vector>

#include "lib/kernels/elementwise_kernels.h"
#include "lib/plan/blocks.h"
#include "lib/plan/step.h"

namespace tenrex::plan {

// For each document the sum, over the addresses that both operands have, of the block of one times the number of the
// other. A document without such an address gets zeros.
class WeightedSumStep : public Step {
public:
    struct Side {
        IndexSlot index;
        CellsSlot cells;
    };
    struct Shape {
        Side outer, inner;                   // with the same dimensions, and cells of the type of the result
        TableSlot inner_table;               // of all labels of `inner`, if the documents share it
        bool blocks_outside = true;          // the blocks are those of `outer`, the numbers those of `inner`
        std::size_t width = 1;               // labels of an address
        std::size_t length = 1;              // cells of a block
        CellType cell_type = CellType::f32;  // or f64
        CellsSlot target;
    };
    // multiply: for cells of that type.
    WeightedSumStep(const Shape &shape, const kernels::ElementwiseKernel *multiply);
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*multiply_); }
    CellsSlot result() const override { return shape_.target; }

private:
    // Writes which blocks of a document have the same address, and returns how many; there is room for one more than
    // the outer side has blocks. Their order depends on the two operands alone.
    std::size_t find(Frame &frame, std::size_t document, std::uint32_t *outer_blocks,
                     std::uint32_t *inner_blocks) const;
    template <class Cell>
    void run_as(Frame &frame) const;

    Shape shape_;
    const kernels::ElementwiseKernel *multiply_;
    std::vector<std::uint16_t> key_;
};

}  // namespace tenrex::plan
