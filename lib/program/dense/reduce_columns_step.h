// A step that aggregates cells over labels, or over other dimensions than the last ones.
#pragma once

#include "lib/program/dense/column_totals.h"
#include "lib/program/dense/reduce_step.h"

namespace tenrex::program {

// Sums, averages, products and extremes of cells that lie side by side, as do the results: all columns at once, by a
// kernel that takes one row after the other.
class ReduceColumnsStep : public Step {
public:
    // Of a shape whose nest fits(); its operand has the kernel's cell type.
    ReduceColumnsStep(ReduceShape shape, Aggregator aggregator, const kernels::ReduceKernel *kernel)
        : shape_(std::move(shape)),
          aggregator_(aggregator),
          nest_(shape_.nest),
          totals_(kernel, aggregator, shape_.target_cells, shape_.target_type) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(totals_.kernel()); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override { return work_of(shape_); }

private:
    ReduceShape shape_;
    Aggregator aggregator_;
    ColumnNest nest_;
    ColumnTotals totals_;
};

}  // namespace tenrex::program
