// Steps that compute cells in ways of their own.
#pragma once

#include <memory>
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

// A tensor from values that each go to a fixed place.
class PackStep : public Step {
public:
    struct Place {
        BlockUse value;
        CopyNest nest;            // the indexed dimensions of the values
        std::size_t address = 0;  // which of the addresses
        std::size_t to_byte = 0;  // within its block
    };
    struct ResultLabel {
        bool known = false;  // of the address; else of the values' index
        std::uint16_t position = 0;
    };
    // addresses: `address_width` labels each; without them there is one address and the target's index is that of the
    // values.
    PackStep(IndexSlot values_index, std::size_t values_width, std::vector<Place> places,
             std::vector<std::vector<Label>> addresses, std::vector<ResultLabel> labels, Target target)
        : values_index_(values_index),
          values_width_(values_width),
          places_(std::move(places)),
          addresses_(std::move(addresses)),
          labels_(std::move(labels)),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    void run_dense(Frame &frame) const;

    IndexSlot values_index_;  // none: the values have no mapped dimensions
    std::size_t values_width_;
    std::vector<Place> places_;
    std::vector<std::vector<Label>> addresses_;
    std::vector<ResultLabel> labels_;  // of the result; empty: it is dense
    Target target_;
};

}  // namespace tenrex::program
