#include "lib/program/move/copy_steps.h"

#include <cstring>

#include "lib/program/copy_bytes.h"
#include "lib/support/format.h"

namespace tenrex::program {

void CopyStep::run(Frame &frame) const {
    if (!target_.index || parts_.size() > 1) {
        for (const CopyPart &part : parts_) {
            const Blocks from(frame, part.from);
            for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
                part.nest.run(cells + part.to_byte, from.at(document, block) + part.from_byte);
            });
        }
        return;
    }
    const CopyPart &part = parts_.front();
    const Blocks from(frame, part.from);
    const std::size_t contiguous = part.nest.contiguous_bytes();
    for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
        const std::byte *const source = from.at(document, block) + part.from_byte;
        if (contiguous != 0) {
            copy_bytes(cells + part.to_byte, source, contiguous);
        } else {
            part.nest.run(cells + part.to_byte, source);
        }
    });
}

std::string CopyStep::describe() const {
    return parts_.size() == 1 ? "copy" : fmt::format("copy of {} parts", parts_.size());
}

void AliasStep::run(Frame &frame) const {
    const Cells &from = frame.cells(from_);
    Cells &result = frame.cells(result_);
    result.data = from.data + from_byte_;
    result.stride = from.stride;
}

void ConvertStep::run(Frame &frame) const {
    std::byte *const cells = make_room(frame, target_);
    if (cells == nullptr) {
        return;
    }
    const Blocks from(frame, from_);
    const std::size_t blocks = block_count(frame, target_);
    const auto out_stride = static_cast<std::ptrdiff_t>(target_.bytes);
    const auto in_stride = static_cast<std::ptrdiff_t>(from_.bytes);
    if (from_.access == BlockAccess::same) {
        kernel_->function({from.data(), in_stride, cells, out_stride, 1, blocks * length_});
    } else if (from_.access == BlockAccess::dense && !target_.index) {
        if (from.document_stride() == in_stride) {
            kernel_->function({from.data(), in_stride, cells, out_stride, 1, blocks * length_});
        } else {
            kernel_->function({from.data(), from.document_stride(), cells, out_stride, blocks, length_});
        }
    } else {
        for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *target) {
            kernel_->function({from.at(document, block), in_stride, target, out_stride, 1, length_});
        });
    }
}

std::string ConvertStep::describe() const {
    return fmt::format("{} {} to {}", kernels::name(kernel_->operation), name(kernel_->from), name(kernel_->to));
}

std::string ConvertStep::reasons(kernels::Isa isa) const {
    return list_candidates(
        kernels::conversion_candidates(kernel_->operation, kernel_->from, kernel_->to, length_, isa));
}

}  // namespace tenrex::program
