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
    const bool runs = a_.access != BlockAccess::mapped && b_.access != BlockAccess::mapped;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t end = index.end(document);
        if (runs && begin != end) {
            choice_.run({a.at(document, begin), a_rows ? a_bytes : 0, b.at(document, begin), b_rows ? b_bytes : 0,
                         end - begin, length_, target + begin * target_.bytes});
            continue;
        }
        for (std::uint32_t block = begin; block < end; ++block) {
            choice_.run(
                {a.at(document, block), 0, b.at(document, block), 0, 1, length_, target + block * target_.bytes});
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
