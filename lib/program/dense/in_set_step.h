// A step that looks cells up in a set of numbers.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// 1 for each cell that is in a set, else 0; f64.
class InSetStep : public Step {
public:
    InSetStep(BlockUse operand, std::vector<double> set, Target target);
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    BlockUse operand_;         // with the layout of the target
    std::vector<double> set_;  // sorted, without NaN
    Target target_;
};

}  // namespace tenrex::program
