#include "lib/program/move/pack_step.h"

#include <cstring>

#include "lib/program/sparse/index_writer.h"
#include "lib/support/format.h"

namespace tenrex::program {

std::string PackStep::describe() const {
    return fmt::format("tensor of {} values", places_.size());
}

void PackStep::run_dense(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    std::memset(target, 0, block_count(frame, target_) * target_.bytes);
    for (const Place &place : places_) {
        const Blocks value(frame, place.value);
        if (!target_.index && place.value.access == BlockAccess::dense &&
            place.nest.run_single(target + place.to_byte, static_cast<std::ptrdiff_t>(target_.bytes), value.data(),
                                  value.document_stride(), frame.documents)) {
            continue;
        }
        for_each_block(frame, target_, [&](std::size_t document, std::size_t block, std::byte *cells) {
            place.nest.run(cells + place.to_byte, value.at(document, block));
        });
    }
}

void PackStep::run(Frame &frame) const {
    if (addresses_.empty()) {
        return run_dense(frame);
    }
    const Index *const values = values_index_ ? &frame.index(values_index_) : nullptr;
    std::size_t count = frame.documents;
    if (values != nullptr) {
        count = values->blocks(frame.documents);
    }
    Cells &target = frame.cells(target_.cells);
    const std::size_t blocks = count * addresses_.size();
    if ((values != nullptr ? most_blocks(frame, *values) : 1) > frame.most_cells / addresses_.size()) {
        frame.too_large = true;
        return;
    }
    target.data = target.memory().room(blocks * target_.bytes);
    std::memset(target.data, 0, blocks * target_.bytes);
    IndexWriter writer(frame, target_.index, labels_.size());
    const auto expand = [&](std::size_t document, std::size_t block) {
        std::byte *const first = target.data + writer.count() * target_.bytes;
        for (const std::vector<Label> &address : addresses_) {
            Label *const labels = writer.add();
            for (std::size_t i = 0; i < labels_.size(); ++i) {
                labels[i] = labels_[i].known ? address[labels_[i].position]
                                             : values->labels[block * values_width_ + labels_[i].position];
            }
        }
        for (const Place &place : places_) {
            place.nest.run(first + place.address * target_.bytes + place.to_byte,
                           Blocks(frame, place.value).at(document, block));
        }
    };
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (values == nullptr) {
            expand(document, document);
        } else {
            for (std::uint32_t block = values->begin(document); block < values->end(document); ++block) {
                expand(document, block);
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program
