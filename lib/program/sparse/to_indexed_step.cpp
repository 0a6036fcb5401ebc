#include "lib/program/sparse/to_indexed_step.h"

#include <cstring>

namespace tenrex::program {

void ToIndexedStep::run(Frame &frame) const {
    std::byte *const cells = make_room(frame, target_);
    if (cells == nullptr) {
        return;
    }
    std::memset(cells, 0, block_count(frame, target_) * target_.bytes);
    const Index &index = frame.index(operand_.index);
    const std::byte *const source = frame.cells(operand_.cells).data;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
            const Label *const address = index.labels + block * operand_width_;
            std::size_t offset = 0;
            for (const Becomes &label : labels_) {
                offset += static_cast<std::uint64_t>(address[label.position]) * label.stride;
            }
            const std::size_t target = groups_ ? frame.map(groups_).of.data()[block] : document;
            nest_.run(cells + target * target_.bytes + offset * cell_bytes_, source + block * operand_bytes_);
        }
    }
}

}  // namespace tenrex::program
