#include "lib/program/sparse/sparse_steps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

namespace {

std::vector<std::uint16_t> all_positions(std::size_t width) {
    std::vector<std::uint16_t> positions(width);
    std::iota(positions.begin(), positions.end(), std::uint16_t{0});
    return positions;
}

}  // namespace

FillStep::FillStep(IndexedCells operand, IndexSlot wanted, std::size_t wanted_width,
                   std::vector<std::uint16_t> positions, Target target)
    : operand_(operand),
      wanted_(wanted),
      wanted_width_(wanted_width),
      positions_(std::move(positions)),
      key_(all_positions(positions_.size())),
      target_(target) {}

void FillStep::run(Frame &frame) const {
    const std::size_t width = key_.size();
    const Index &operand = frame.index(operand_.index);
    const Index &wanted = frame.index(wanted_);
    const std::byte *const operand_cells = frame.cells(operand_.cells).data;
    std::byte *const cells = room_for(frame, target_, blocks_of(frame, operand) + blocks_of(frame, wanted));
    IndexWriter writer(frame, target_.index, width);
    AddressTable &known = frame.scratch->table;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t own = operand.end(document) - operand.begin(document);
        const std::uint32_t more = wanted.end(document) - wanted.begin(document);
        writer.reserve(own + more);
        known.clear(writer.labels(), width, key_, writer.count(), own + more);
        if (own != 0) {
            std::memcpy(cells + writer.count() * target_.bytes, operand_cells + operand.begin(document) * target_.bytes,
                        own * target_.bytes);
        }
        for (std::uint32_t block = operand.begin(document); block < operand.end(document); ++block) {
            std::copy_n(operand.labels + block * width, width, writer.add());
            known.add(writer.count() - 1);
        }
        for (std::uint32_t block = wanted.begin(document); block < wanted.end(document); ++block) {
            const Label *const address = wanted.labels + block * wanted_width_;
            if (known.first(address, positions_) == AddressTable::none) {
                std::memset(cells + writer.count() * target_.bytes, 0, target_.bytes);
                Label *const labels = writer.add();
                for (std::size_t i = 0; i < width; ++i) {
                    labels[i] = address[positions_[i]];
                }
                known.add(writer.count() - 1);
            }
        }
        writer.end_document();
    }
}

void FilterIndexStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    const Blocks keep(frame, keep_);
    IndexWriter writer(frame, result_, width_, &frame.map(map_));
    for (std::size_t document = 0; document < frame.documents; ++document) {
        for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
            double number;
            std::memcpy(&number, keep.at(document, block), sizeof(number));
            if (number != 0) {
                std::copy_n(index.labels + block * width_, width_, writer.add(block));
            }
        }
        writer.end_document();
    }
}

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
