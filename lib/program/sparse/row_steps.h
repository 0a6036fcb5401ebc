// Steps on the rows of open dimensions: blocks whose labels are the numbers from 0 on, in every document.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// Stops the program if a document has not the same number of rows in both indexes.
class SameSizeStep : public Step {
public:
    // map: from the rows of one, which documents have, to those of the other, which they share; none if both are of one
    // stage: then their rows have the same numbers.
    SameSizeStep(IndexSlot first, IndexSlot second, SizeNames names, MapSlot map)
        : first_(first), second_(second), names_(std::move(names)), map_(map) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "same size of dimension " + names_.what; }

private:
    IndexSlot first_, second_;
    SizeNames names_;
    MapSlot map_;
};

// The rows of one value and those of another, counted on.
class AppendStep : public Step {
public:
    AppendStep(IndexedCells a, IndexedCells b, Target target) : parts_{a, b}, target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "rows behind each other"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells parts_[2];
    Target target_;
};

}  // namespace tenrex::program
