// A step that makes one tensor of values.
#pragma once

#include <string>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

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
