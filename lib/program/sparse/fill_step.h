// A step that adds blocks of zeros.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The blocks of the operand, and zeros for the addresses that only `wanted` has.
class FillStep : public Step {
public:
    // positions: of the operand's labels in the addresses of `wanted`.
    FillStep(IndexedCells operand, IndexSlot wanted, std::size_t wanted_width, std::vector<std::uint16_t> positions,
             Target target);
    void run(Frame &frame) const override;
    std::string describe() const override { return "zeros for missing blocks"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells operand_;
    IndexSlot wanted_;
    std::size_t wanted_width_;
    std::vector<std::uint16_t> positions_;
    std::vector<std::uint16_t> key_;
    Target target_;
};

}  // namespace tenrex::program
