// A step that takes the blocks with the lowest ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The blocks whose cells are the first ones in the order: those with a rank below a number.
class TopStep : public Step {
public:
    // ranked: one cell for each block, f32 or f64; kept: a block for each of these; count: the number, f64.
    TopStep(IndexedCells ranked, CellType ranked_type, CellsSlot kept, BlockUse count, std::size_t width,
            bool ascending, Target target);
    void run(Frame &frame) const override;
    std::string describe() const override { return ascending_ ? "the lowest blocks" : "the highest blocks"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    template <class Cell, bool ascending>
    void run_as(Frame &frame) const;

    IndexedCells ranked_;
    CellType ranked_type_;
    CellsSlot kept_;
    BlockUse count_;
    std::vector<std::uint16_t> positions_;  // of all labels
    bool ascending_;
    Target target_;
};

}  // namespace tenrex::program
