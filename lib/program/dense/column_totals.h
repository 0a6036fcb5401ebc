// Aggregates of columns while a kernel takes row after row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/program/layout.h"
#include "lib/program/value.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// What blocks of `columns` cells become that are combined cell by cell. A row is all of a block or part of it.
class ColumnTotals {
public:
    // kernel: of the aggregator, for an average that of the sum. target_type: f32 or f64.
    ColumnTotals(const kernels::ReduceKernel *kernel, Aggregator aggregator, std::size_t columns, CellType target_type)
        : kernel_(kernel), aggregator_(aggregator), columns_(columns), target_type_(target_type) {}

    const kernels::ReduceKernel &kernel() const noexcept { return *kernel_; }

    // Totals of so many blocks that have seen nothing yet: where the results will be if they have the same cell type,
    // else room of the scratch.
    std::byte *begin(Scratch &scratch, std::byte *target, std::size_t blocks) const;
    // Combines the totals of a block, from cell `first` on, with rows of some of its columns.
    void add(std::byte *totals, std::size_t block, std::size_t first, const kernels::Columns &rows) const;
    // The results of a block from its totals, which were made of so many rows; over none they are 0.
    void finish(const std::byte *totals, std::byte *target, std::size_t block, std::size_t rows) const;

private:
    bool is_in_place() const noexcept { return kernel_->total() == target_type_; }

    const kernels::ReduceKernel *kernel_;
    Aggregator aggregator_;
    std::size_t columns_;
    CellType target_type_;
};

// Loops over the cells of a block; the innermost loops are over rows, one cell for each column. Array 0 is the target.
class ColumnNest {
public:
    // Whether the cells of rows lie side by side, and so do those that they go to.
    static bool fits(const LoopNest<2> &nest) noexcept {
        return nest.run().size > 1 && nest.run().strides == std::array<std::ptrdiff_t, 2>{1, 1};
    }
    explicit ColumnNest(const LoopNest<2> &nest);

    std::size_t columns() const noexcept { return columns_; }
    // The rows of a block that go to one place.
    std::size_t rows() const noexcept { return rows_.size; }
    std::ptrdiff_t row_stride() const noexcept { return rows_.strides[1]; }  // in cells
    // All cells are one row.
    bool is_one_row() const noexcept { return is_plain_ && rows_.size == 1; }

    // Calls visit(where the cells go, where they are) for all rows that go to one place, in cells.
    template <class Visit>
    void for_each(const Visit &visit) const {
        if (is_plain_) {
            visit(std::ptrdiff_t{0}, std::ptrdiff_t{0});
            return;
        }
        const Axis<2> &run = around_.run();
        around_.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
            for (std::size_t i = 0; i < run.size; ++i) {
                const auto step = static_cast<std::ptrdiff_t>(i);
                visit(offsets[0] + step * run.strides[0], offsets[1] + step * run.strides[1]);
            }
        });
    }

private:
    std::size_t columns_;
    Axis<2> rows_;
    LoopNest<2> around_;
    bool is_plain_;  // nothing is around
};

}  // namespace tenrex::program
