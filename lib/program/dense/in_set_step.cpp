#include "lib/program/dense/in_set_step.h"

#include <algorithm>
#include <cmath>

#include "lib/program/cell.h"
#include "lib/support/format.h"

namespace tenrex::program {

InSetStep::InSetStep(BlockUse operand, std::vector<double> set, Target target)
    : operand_(operand), set_(std::move(set)), target_(target) {
    std::erase_if(set_, [](double member) { return std::isnan(member); });
    std::sort(set_.begin(), set_.end());
}

void InSetStep::run(Frame &frame) const {
    const Blocks operand(frame, operand_);
    const auto count = static_cast<std::ptrdiff_t>(target_.bytes / sizeof(double));
    for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
        const std::byte *const source = operand.at(document, block);
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const double cell = load_cell<double>(source, i);
            const bool found = !std::isnan(cell) && std::binary_search(set_.begin(), set_.end(), cell);
            store_cell<double>(cells, i, found ? 1.0 : 0.0);
        }
    });
}

std::string InSetStep::describe() const {
    return fmt::format("membership in a set of {}", set_.size());
}

Work InSetStep::work() const {
    // A binary search for each cell.
    const std::size_t cells = target_.bytes / sizeof(double);
    return blockwise(target_, {&operand_, 1},
                     static_cast<double>(cells) * std::ceil(std::log2(static_cast<double>(set_.size()) + 1)));
}

}  // namespace tenrex::program
