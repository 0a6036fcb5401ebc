#include "lib/program/library/row_pair_step.h"

#include <algorithm>
#include <cstring>

#include "lib/program/library/row_pair_work.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

// Floats in the second half of the memory become doubles in all of it, the first ones first.
void widen(std::byte *cells, std::size_t count) noexcept {
    const std::byte *from = cells + count * sizeof(float);
    for (std::size_t i = 0; i < count; ++i, cells += sizeof(double), from += sizeof(float)) {
        float narrow;
        std::memcpy(&narrow, from, sizeof(narrow));
        const double wide = narrow;
        std::memcpy(cells, &wide, sizeof(wide));
    }
}

}  // namespace

void RowPairStep::run(Frame &frame) const {
    target_.index ? run_indexed(frame) : run_dense(frame);
}

void RowPairStep::run_dense(Frame &frame) const {
    const Cells &a = frame.cells(a_.cells);
    const Cells &b = frame.cells(b_.cells);
    std::byte *const target = frame.cells(target_.cells).data;
    std::byte *const results = target + (widens_ ? frame.documents * sizeof(float) : 0);
    choice_.run({a.data, a.stride, b.data, b.stride, frame.documents, length_, results});
    if (widens_) {
        widen(target, frame.documents);
    }
}

void RowPairStep::run_indexed(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    const Blocks a(frame, a_);
    const Blocks b(frame, b_);
    const std::size_t count = block_count(frame, target_);
    const auto a_bytes = static_cast<std::ptrdiff_t>(a_.bytes);
    const auto b_bytes = static_cast<std::ptrdiff_t>(b_.bytes);
    const bool a_rows = a_.access == BlockAccess::same;
    const bool b_rows = b_.access == BlockAccess::same;
    const bool a_shared = a_.access == BlockAccess::dense && a.document_stride() == 0;
    const bool b_shared = b_.access == BlockAccess::dense && b.document_stride() == 0;
    if ((a_rows || a_shared) && (b_rows || b_shared)) {
        if (count != 0) {
            choice_.run({a.data(), a_rows ? a_bytes : 0, b.data(), b_rows ? b_bytes : 0, count, length_, target});
        }
        return;
    }
    const Index &index = frame.index(target_.index);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::size_t end = index.end(document);
        for (std::size_t block = index.begin(document); block < end;) {
            // As many as lie at equal distances: maps often name what follows each other, or the same block again.
            const std::byte *const first_a = a.at(document, block);
            const std::byte *const first_b = b.at(document, block);
            std::size_t last = block + 1;
            std::ptrdiff_t a_stride = 0, b_stride = 0;
            if (last != end) {
                a_stride = a.at(document, last) - first_a;
                b_stride = b.at(document, last) - first_b;
                const std::byte *next_a = first_a, *next_b = first_b;
                do {
                    ++last;
                    next_a += a_stride;
                    next_b += b_stride;
                } while (last != end && a.at(document, last) - next_a == a_stride &&
                         b.at(document, last) - next_b == b_stride);
            }
            choice_.run({first_a, a_stride, first_b, b_stride, last - block, length_, target + block * target_.bytes});
            block = last;
        }
    }
}

std::string RowPairStep::describe() const {
    return fmt::format("{} of {} cells", kernels::name(choice_.kernel->operation), length_);
}

std::string RowPairStep::reasons(kernels::Isa isa) const {
    return reasons_of(choice_, length_, isa);
}

Work RowPairStep::work() const {
    const BlockUse operands[] = {a_, b_};
    return blockwise(target_, operands, flops_of(choice_, length_));
}

}  // namespace tenrex::program
