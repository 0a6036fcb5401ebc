// A step that aggregates the cells of a join that is never stored.
#pragma once

#include <optional>
#include <string>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/dense/column_totals.h"
#include "lib/program/layout.h"
#include "lib/program/row_tiles.h"
#include "lib/program/sparse/match_groups.h"
#include "lib/program/sparse/matches.h"
#include "lib/program/step.h"
#include "lib/program/work.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// For each document the blocks that go together are found, their cells computed side by side and added to the addresses
// of the result that they belong to.
class JoinReduceStep : public Step {
public:
    // An operand's cells, and how a block of them becomes one of the join.
    struct Operand {
        CellsSlot cells;
        std::size_t block_cells = 1;
        CopyNest nest;
    };
    struct Shape {
        Aggregator aggregator = Aggregator::sum;  // any but the median
        Operand outer, inner;                     // without cells for a count, which needs none
        bool inner_first = false;                 // it is the function's first argument
        std::size_t joined_cells = 1;             // of a block of the join
        std::size_t target_cells = 1;             // of a block of the result
        LoopNest<2> nest;                      // over the cells of a joined block (array 1) and where they go (array 0)
        Target target;                         // without an index: one block for each document
        CellType target_type = CellType::f64;  // or f32
    };
    // function: null for a count. rows: of the aggregator, for cells of the function's type; null if there is none.
    // row_cells: so many cells of a joined block lie side by side and become one of the result by it; 1: `nest` says
    // which.
    JoinReduceStep(Matcher matcher, std::optional<MatchGroups> groups, Shape shape,
                   const kernels::ElementwiseKernel *function, const kernels::ReduceKernel *rows,
                   std::size_t row_cells);
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return function_ == nullptr ? "" : full_name(*function_); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override;

private:
    // One cell of the operand is all of a joined block's.
    bool is_repeated(const Operand &operand) const noexcept {
        return operand.block_cells == 1 && shape_.joined_cells != 1;
    }
    // The cells of the operand for the blocks of the join; one for each that is repeated in tiles.
    const std::byte *gathered(Frame &frame, const Operand &operand, const std::uint32_t *blocks, std::size_t count,
                              std::size_t room) const;
    const std::byte *computed(Frame &frame, const Matches &matches) const;
    template <class Accumulator>
    void run_with(Frame &frame) const;
    bool is_too_large(Frame &frame, const Matches &matches) const;
    // Everything is aggregated to one number.
    bool is_whole() const noexcept { return !groups_ && shape_.target_cells == 1 && rows_ != nullptr; }
    double whole_document(const std::byte *cells, std::size_t matches) const;
    // The cells of a join are as those of the result: whole blocks are combined.
    void combine(Frame &frame, const std::byte *cells, std::size_t matches, const std::uint32_t *group_of,
                 std::size_t groups, std::byte *target) const;
    // For each group of a document a block of them.
    template <class Accumulator>
    const Accumulator *totals_of(Frame &frame, const std::byte *cells, std::size_t matches,
                                 const std::uint32_t *group_of, std::size_t groups) const;
    std::size_t joined_bytes() const noexcept { return shape_.joined_cells * byte_size(function_->type); }
    std::byte *target_cells(Frame &frame, std::size_t first, std::size_t groups) const;

    Matcher matcher_;
    std::optional<MatchGroups> groups_;
    Shape shape_;
    const kernels::ElementwiseKernel *function_;
    const kernels::ReduceKernel *rows_;
    std::size_t row_cells_;
    LoopNest<2> row_nest_;  // of the numbers that `rows` gives
    std::optional<ColumnTotals> columns_;
    std::optional<RowTiles> tiles_;  // of joined blocks, if an operand is repeated
};

}  // namespace tenrex::program
