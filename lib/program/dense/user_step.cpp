#include "lib/program/dense/user_step.h"

#include <array>
#include <span>

#include "lib/program/cell.h"

namespace tenrex::program {

void UserStep::run(Frame &frame) const {
    Blocks operands[most_operands];
    for (std::size_t i = 0; i < operands_.size(); ++i) {
        operands[i] = Blocks(frame, operands_[i]);
    }
    const auto &run = nest_.run();
    for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
        const std::byte *sources[most_operands];
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            sources[i] = operands[i].at(document, block);
        }
        nest_.for_each_run([&](const std::array<std::ptrdiff_t, 1 + most_operands> &offsets) {
            double arguments[most_operands];
            for (std::size_t i = 0; i < run.size; ++i) {
                const auto step = static_cast<std::ptrdiff_t>(i);
                for (std::size_t k = 0; k < operands_.size(); ++k) {
                    arguments[k] = load_cell<double>(sources[k], offsets[k + 1] + step * run.strides[k + 1]);
                }
                store_cell<double>(cells, offsets[0] + step * run.strides[0],
                                   function_->call(std::span<const double>(arguments, operands_.size())));
            }
        });
    });
}

}  // namespace tenrex::program
