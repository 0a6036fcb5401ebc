// A step that keeps some blocks.
#pragma once

#include <string>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The addresses of `index` for which a number is not zero.
class FilterStep : public Step {
public:
    // keep: a scalar of type f64 per block of the index.
    FilterStep(IndexSlot index, std::size_t width, BlockUse keep, IndexSlot result, MapSlot map)
        : index_(index), width_(width), keep_(keep), result_(result), map_(map) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "filter of blocks"; }
    Work work() const override { return addressing(width_ + 1, width_); }

private:
    IndexSlot index_;
    std::size_t width_;
    BlockUse keep_;
    IndexSlot result_;
    MapSlot map_;
};

}  // namespace tenrex::program
