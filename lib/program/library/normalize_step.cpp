#include "lib/program/library/normalize_step.h"

#include <vector>

#include "lib/program/parts.h"
#include "lib/program/work.h"
#include "lib/support/format.h"
#include "lib/support/function_facts.h"

namespace tenrex::program {

// Whether the rows of all documents are equally far apart, and those of a gain or bias, too.
bool NormalizeStep::is_one_run(const Frame &frame) const {
    if (frame.documents == 1 || (shape_.rows == 1 && !shape_.target.index)) {
        return true;
    }
    const auto bytes = static_cast<std::ptrdiff_t>(shape_.target.bytes);
    const auto goes_on = [&](const Factor &factor) {
        return Blocks(frame, factor.use).document_stride() == (factor.by_row ? bytes : 0);
    };
    return (shape_.target.index || Blocks(frame, shape_.operand).document_stride() == bytes) &&
           (!shape_.gain || goes_on(*shape_.gain)) && (!shape_.bias || goes_on(*shape_.bias));
}

inline void NormalizeStep::run_rows(const Frame &frame, const kernels::RowNormalization &call) const {
    frame.executor == nullptr ? kernel_->function(call) : share_rows(frame, call);
}

void NormalizeStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    const Blocks operand(frame, shape_.operand);
    const auto row_bytes = static_cast<std::ptrdiff_t>(shape_.target.bytes / shape_.rows);
    // A document has one row, which may be anywhere, or some that follow each other.
    const bool single_rows = shape_.rows == 1 && !shape_.target.index;
    kernels::RowNormalization call = call_;
    call.stride = single_rows ? operand.document_stride() : row_bytes;
    const auto point_to = [&](const std::optional<Factor> &factor, std::size_t document, const void *&cells,
                              std::ptrdiff_t &stride) {
        if (factor) {
            const Blocks blocks(frame, factor->use);
            cells = blocks.at(document, document);
            stride = single_rows ? blocks.document_stride() : (factor->by_row ? row_bytes : 0);
        }
    };
    const auto run_blocks = [&](std::size_t document, std::size_t first, std::size_t count) {
        call.cells = operand.at(document, first);
        call.out = target + first * shape_.target.bytes;
        call.rows = count * shape_.rows;
        point_to(shape_.gain, document, call.gain, call.gain_stride);
        point_to(shape_.bias, document, call.bias, call.bias_stride);
        run_rows(frame, call);
    };
    if (is_one_run(frame)) {
        run_blocks(0, 0, block_count(frame, shape_.target));
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (shape_.target.index) {
            const Index &index = frame.index(shape_.target.index);
            run_blocks(document, index.begin(document), index.end(document) - index.begin(document));
        } else {
            run_blocks(document, document, 1);
        }
    }
}

void NormalizeStep::share_rows(const Frame &frame, const kernels::RowNormalization &call) const {
    const auto row_bytes = static_cast<std::ptrdiff_t>(call.length * byte_size(kernel_->type));
    const auto after = [](const void *cells, std::size_t rows, std::ptrdiff_t stride) {
        return cells == nullptr ? nullptr
                                : static_cast<const std::byte *>(cells) + static_cast<std::ptrdiff_t>(rows) * stride;
    };
    const Parts parts(frame, call.rows, kernel_->cost.of(call.length));
    parts.run([&](std::size_t, std::size_t first, std::size_t count) {
        kernels::RowNormalization own = call;
        own.cells = after(call.cells, first, call.stride);
        own.out = const_cast<std::byte *>(after(call.out, first, row_bytes));
        own.gain = after(call.gain, first, call.gain_stride);
        own.bias = after(call.bias, first, call.bias_stride);
        own.rows = count;
        kernel_->function(own);
    });
}

std::string NormalizeStep::describe() const {
    return fmt::format("{} of {} rows of {} cells{}{}", kernels::name(kernel_->operation), shape_.rows, call_.length,
                       shape_.gain ? ", times others" : "", shape_.bias ? ", plus others" : "");
}

std::string NormalizeStep::reasons(kernels::Isa isa) const {
    return list_candidates(kernels::normalize_candidates(kernel_->operation, kernel_->type, call_.length, isa));
}

Work NormalizeStep::work() const {
    std::vector<BlockUse> operands = {shape_.operand};
    double flops = 0;
    switch (kernel_->operation) {
        case kernels::NormalizeOperation::by_length:
            flops = 3;
            break;
        case kernels::NormalizeOperation::softmax:
            flops = 2 + facts(ScalarFunction::exp).operations;
            break;
        case kernels::NormalizeOperation::stable_softmax:
            flops = 4 + facts(ScalarFunction::exp).operations;
            break;
        case kernels::NormalizeOperation::standardize:
            flops = 5;
            break;
    }
    flops += call_.scale != 1 ? 1 : 0;
    for (const std::optional<Factor> &factor : {shape_.gain, shape_.bias}) {
        if (factor) {
            operands.push_back(factor->use);
            flops += 1;
        }
    }
    return blockwise(shape_.target, operands, flops * static_cast<double>(shape_.rows * call_.length));
}

}  // namespace tenrex::program
