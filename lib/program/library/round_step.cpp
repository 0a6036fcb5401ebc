#include "lib/program/library/round_step.h"

#include <vector>

#include "lib/program/parts.h"
#include "lib/program/work.h"
#include "lib/support/format.h"

namespace tenrex::program {

// Whether the rows of all documents follow each other, and so do their numbers.
bool RoundStep::is_one_run(const Frame &frame) const {
    const auto follow = [&](const BlockUse &use) {
        return Blocks(frame, use).document_stride() == static_cast<std::ptrdiff_t>(use.bytes);
    };
    return shape_.target.index || frame.documents == 1 ||
           (follow(shape_.operand) && (!shape_.middle || (follow(*shape_.middle) && follow(*shape_.factor))));
}

inline void RoundStep::run_rows(const Frame &frame, const kernels::RowConversion &call) const {
    frame.executor == nullptr ? kernel_->function(call) : share_rows(frame, call);
}

void RoundStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    const auto round = [&](std::size_t document, std::size_t blocks) {
        kernels::RowConversion call;
        call.in = Blocks(frame, shape_.operand).at(document, document);
        call.in_stride = static_cast<std::ptrdiff_t>(shape_.operand.bytes / shape_.rows);
        call.out = target + document * shape_.target.bytes;
        call.out_stride = static_cast<std::ptrdiff_t>(shape_.target.bytes / shape_.rows);
        call.rows = blocks * shape_.rows;
        call.length = shape_.length;
        if (shape_.middle) {
            call.middle = Blocks(frame, *shape_.middle).at(document, document);
            call.factor = Blocks(frame, *shape_.factor).at(document, document);
        }
        run_rows(frame, call);
    };
    if (is_one_run(frame)) {
        round(0, block_count(frame, shape_.target));
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        round(document, 1);
    }
}

void RoundStep::share_rows(const Frame &frame, const kernels::RowConversion &call) const {
    const Parts parts(frame, call.rows, kernel_->cost.of(call.length));
    parts.run([&](std::size_t, std::size_t first, std::size_t count) {
        const auto rows = static_cast<std::ptrdiff_t>(first);
        kernels::RowConversion own = call;
        own.in = static_cast<const std::byte *>(call.in) + rows * call.in_stride;
        own.out = static_cast<std::byte *>(call.out) + rows * call.out_stride;
        if (call.middle != nullptr) {
            own.middle = static_cast<const float *>(call.middle) + rows;
            own.factor = static_cast<const float *>(call.factor) + rows;
        }
        own.rows = count;
        kernel_->function(own);
    });
}

std::string RoundStep::describe() const {
    return shape_.middle
               ? fmt::format("rounding of {} rows of {} cells to {}", shape_.rows, shape_.length, name(kernel_->to))
               : fmt::format("rounding of {} cells to {}", shape_.rows * shape_.length, name(kernel_->to));
}

std::string RoundStep::reasons(kernels::Isa isa) const {
    return list_candidates(
        kernels::conversion_candidates(kernel_->operation, kernel_->from, kernel_->to, shape_.length, isa));
}

Work RoundStep::work() const {
    std::vector<BlockUse> operands = {shape_.operand};
    if (shape_.middle) {
        operands.insert(operands.end(), {*shape_.middle, *shape_.factor});
    }
    constexpr double of_whole = 4, of_nearest = 3;
    return blockwise(shape_.target, operands,
                     (shape_.middle ? of_whole : of_nearest) * static_cast<double>(shape_.rows * shape_.length));
}

}  // namespace tenrex::program
