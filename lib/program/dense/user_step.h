// A step that calls a function of the user for each cell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenrex/schema.h>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// A user's function of each cell; operands and result are of type f64.
class UserStep : public Step {
public:
    static constexpr std::size_t most_operands = UserFunction::most_arguments;
    // nest: array 0 is the result, the others the operands.
    UserStep(std::shared_ptr<const UserFunction> function, std::vector<BlockUse> operands,
             LoopNest<1 + most_operands> nest, Target target)
        : function_(std::move(function)), operands_(std::move(operands)), nest_(std::move(nest)), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "user function " + function_->name; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override {
        const std::size_t cells = target_.bytes / sizeof(double);
        return blockwise(target_, operands_, static_cast<double>(cells));
    }

private:
    std::shared_ptr<const UserFunction> function_;
    std::vector<BlockUse> operands_;
    LoopNest<1 + most_operands> nest_;
    Target target_;
};

}  // namespace tenrex::program
