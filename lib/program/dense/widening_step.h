// A step that reads doubles as floats, and the one that computes documents in double whose numbers forbid that.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/program/dense/region_step.h"
#include "lib/program/step.h"

namespace tenrex::program {

// All documents are computed in float. Those with a number that has no nearest float are then computed once more, one
// by one: they are as rare as they are slow, and no document depends on its neighbours.
class WideningStep : public Step {
public:
    // numbers: the doubles, one for each document or for all. Both steps have the same results.
    WideningStep(std::unique_ptr<const Step> in_float, std::unique_ptr<const RegionStep> in_double,
                 std::vector<CellsSlot> numbers)
        : in_float_(std::move(in_float)), in_double_(std::move(in_double)), numbers_(std::move(numbers)) {}
    void run(Frame &frame) const override;
    void prepare(Store &store) const override;
    std::string describe() const override { return in_float_->describe(); }
    std::string parts() const override { return in_float_->parts(); }
    std::string kernel() const override { return in_float_->kernel(); }
    std::string reasons(kernels::Isa isa) const override { return in_float_->reasons(isa); }
    CellsSlot result() const override { return in_float_->result(); }
    Work work() const override { return in_float_->work(); }

private:
    std::unique_ptr<const Step> in_float_;
    std::unique_ptr<const RegionStep> in_double_;
    std::vector<CellsSlot> numbers_;
};

}  // namespace tenrex::program
