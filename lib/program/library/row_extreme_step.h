// A step that takes the best of rows: MaxSim and closest distances by kernels over pairs of rows.
#pragma once

#include <string>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/library/row_groups.h"
#include "lib/program/step.h"

namespace tenrex::program {

// For each row of b, here called a column, the largest or smallest number that its pairs with the rows of the
// document's a give, or with those of each group of rows. Targets of a document without rows are 0 if the target has no
// index, and missing otherwise.
class RowPairExtremeStep : public Step {
public:
    // Rows side by side: `rows` in each block of a document. No index: there is one block.
    struct Rows {
        CellsSlot cells;
        IndexSlot index;
        std::size_t rows = 1;
        std::size_t row_bytes = 0;
    };
    // The target has one number (f64) for each of the `columns` of each block of b. With groups it has them for one
    // group after the other; then b_index is an index that the documents share, or none.
    RowPairExtremeStep(Rows a, RowGroups groups, BlockUse b, IndexSlot b_index, std::size_t columns, std::size_t length,
                       kernels::RowPairChoice choice, const kernels::ReduceKernel *reduce, Target target)
        : a_(a.cells),
          a_index_(a.index),
          rows_(a.rows),
          row_bytes_(a.row_bytes),
          groups_(groups),
          b_(b),
          b_index_(b_index),
          columns_(columns),
          column_bytes_(b.bytes / columns),
          length_(length),
          choice_(choice),
          reduce_(reduce),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*choice_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    // Rows of many documents by one call of the kernel, where they follow each other and all have the same column.
    bool run_together(Frame &frame, double *out) const;

    CellsSlot a_;
    IndexSlot a_index_;  // none: a is dense
    std::size_t rows_;
    std::size_t row_bytes_;
    RowGroups groups_;
    BlockUse b_;
    IndexSlot b_index_;
    std::size_t columns_;
    std::size_t column_bytes_;
    std::size_t length_;
    kernels::RowPairChoice choice_;
    const kernels::ReduceKernel *reduce_;
    Target target_;
};

}  // namespace tenrex::program
