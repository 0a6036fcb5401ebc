#include "lib/program/sparse/to_mapped_step.h"

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

void ToMappedStep::run(Frame &frame) const {
    std::size_t copies = 1;
    for (const ResultLabel &label : labels_) {
        copies *= label.size == 0 ? 1 : label.size;
    }
    const Index *const index = operand_index_ ? &frame.index(operand_index_) : nullptr;
    const Blocks blocks(frame, operand_);
    const std::size_t count = index != nullptr ? blocks_of(frame, *index) : frame.documents;
    if ((index != nullptr ? most_blocks(frame, *index) : 1) > frame.most_cells / copies) {
        frame.too_large = true;
        return;
    }
    std::byte *cells = room_for(frame, target_, count * copies);
    IndexWriter writer(frame, target_.index, labels_.size());
    const auto split = [&](std::size_t document, std::size_t block) {
        const Label *const address = index != nullptr ? index->labels + block * operand_width_ : nullptr;
        const std::byte *const source = blocks.at(document, block);
        for (std::size_t copy = 0; copy < copies; ++copy, cells += target_.bytes) {
            Label *const labels = writer.add();
            std::size_t rest = copy;
            std::size_t offset = 0;
            for (std::size_t i = labels_.size(); i-- > 0;) {
                if (labels_[i].size == 0) {
                    labels[i] = address[labels_[i].position];
                } else {
                    labels[i] = numeric_label(rest % labels_[i].size);
                    offset += rest % labels_[i].size * labels_[i].stride;
                    rest /= labels_[i].size;
                }
            }
            nest_.run(cells, source + offset * cell_bytes_);
        }
    };
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (index == nullptr) {
            split(document, document);
        } else {
            for (std::uint32_t block = index->begin(document); block < index->end(document); ++block) {
                split(document, block);
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program
