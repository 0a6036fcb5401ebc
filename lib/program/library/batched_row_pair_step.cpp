#include "lib/program/library/batched_row_pair_step.h"

#include "lib/program/library/row_pair_work.h"
#include "lib/support/format.h"

namespace tenrex::program {

void BatchedRowPairStep::run(Frame &frame) const {
    const Blocks a(frame, a_);
    const Blocks b(frame, b_);
    const auto out_bytes = static_cast<std::ptrdiff_t>(byte_size(choice_.kernel->out));
    const Axis<3> &run = nest_.run();
    for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
        const std::byte *const a_rows = a.at(document, block);
        const std::byte *const b_rows = b.at(document, block);
        nest_.for_each_run([&](const std::array<std::ptrdiff_t, 3> &offsets) {
            choice_.run({a_rows + offsets[1] * a_row_bytes_, run.strides[1] * a_row_bytes_,
                         b_rows + offsets[2] * b_row_bytes_, run.strides[2] * b_row_bytes_, run.size, length_,
                         cells + offsets[0] * out_bytes});
        });
    });
}

std::string BatchedRowPairStep::describe() const {
    return fmt::format("{} of {} rows of {} cells", kernels::name(choice_.kernel->operation),
                       nest_.run().size * nest_.runs(), length_);
}

std::string BatchedRowPairStep::reasons(kernels::Isa isa) const {
    return reasons_of(choice_, length_, isa);
}

Work BatchedRowPairStep::work() const {
    const BlockUse operands[] = {a_, b_};
    return blockwise(target_, operands,
                     static_cast<double>(nest_.run().size * nest_.runs()) * flops_of(choice_, length_));
}

}  // namespace tenrex::program
