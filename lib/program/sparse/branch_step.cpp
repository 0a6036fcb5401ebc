#include "lib/program/sparse/branch_step.h"

#include <algorithm>
#include <cstring>

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

void BranchStep::run(Frame &frame) const {
    const Cells &condition = frame.cells(condition_);
    const Index &when_true = frame.index(when_true_.index);
    const Index &when_false = frame.index(when_false_.index);
    std::byte *cells = room_for(frame, target_, blocks_of(frame, when_true) + blocks_of(frame, when_false));
    IndexWriter writer(frame, target_.index, width_);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        double number;
        std::memcpy(&number, condition.data + static_cast<std::ptrdiff_t>(document) * condition.stride, sizeof(number));
        const Index &index = number != 0 ? when_true : when_false;
        const std::byte *const source = frame.cells((number != 0 ? when_true_ : when_false_).cells).data;
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t count = index.end(document) - begin;
        if (count != 0) {
            std::memcpy(cells, source + begin * target_.bytes, count * target_.bytes);
        }
        cells += count * target_.bytes;
        for (std::uint32_t block = begin; block < begin + count; ++block) {
            std::copy_n(index.labels + block * width_, width_, writer.add());
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program
