// A step that takes one of two values.
#pragma once

#include <string>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// One of two values for each document, by a number.
class BranchStep : public Step {
public:
    BranchStep(CellsSlot condition, IndexedCells when_true, IndexedCells when_false, std::size_t width, Target target)
        : condition_(condition), when_true_(when_true), when_false_(when_false), width_(width), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "one of two values"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    CellsSlot condition_;  // a scalar
    IndexedCells when_true_, when_false_;
    std::size_t width_;
    Target target_;
};

}  // namespace tenrex::program
