#include "lib/program/sparse/merge_steps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lib/program/copy_bytes.h"
#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

MergeStep::MergeStep(IndexedCells a, IndexedCells b, IndexedCells both, std::size_t width, Target target)
    : a_(a), b_(b), both_(both), key_(width), target_(target) {
    std::iota(key_.begin(), key_.end(), std::uint16_t{0});
}

void MergeStep::run(Frame &frame) const {
    const std::size_t width = key_.size();
    const Index &a = frame.index(a_.index);
    const Index &b = frame.index(b_.index);
    const Index &both = frame.index(both_.index);
    const std::byte *const a_cells = frame.cells(a_.cells).data;
    const std::byte *const b_cells = frame.cells(b_.cells).data;
    const std::byte *const both_cells = frame.cells(both_.cells).data;
    std::byte *const cells = room_for(frame, target_, blocks_of(frame, a) + blocks_of(frame, b));
    IndexWriter writer(frame, target_.index, width);
    AddressTable &in_a = frame.scratch->table;
    AddressTable &in_both = frame.scratch->other_table;
    const auto append = [&](const Label *address, const std::byte *block) {
        copy_bytes(cells + writer.count() * target_.bytes, block, target_.bytes);
        std::copy_n(address, width, writer.add());
    };
    for (std::size_t document = 0; document < frame.documents; ++document) {
        in_a.build(a.labels, width, key_, a.begin(document), a.end(document));
        in_both.build(both.labels, width, key_, both.begin(document), both.end(document));
        for (std::uint32_t block = a.begin(document); block < a.end(document); ++block) {
            const Label *const address = a.labels + block * width;
            const std::uint32_t joined = in_both.first(address, key_);
            append(address, joined != AddressTable::none ? both_cells + joined * target_.bytes
                                                         : a_cells + block * target_.bytes);
        }
        for (std::uint32_t block = b.begin(document); block < b.end(document); ++block) {
            const Label *const address = b.labels + block * width;
            if (in_a.first(address, key_) == AddressTable::none) {
                append(address, b_cells + block * target_.bytes);
            }
        }
        writer.end_document();
    }
}

void MergeJoinedStep::run(Frame &frame) const {
    switch (target_.bytes) {
        case 4:
            return width_ == 1 ? run_blocks<4, 1>(frame) : run_blocks<4, 0>(frame);
        case 8:
            return width_ == 1 ? run_blocks<8, 1>(frame) : run_blocks<8, 0>(frame);
        default:
            return run_blocks<0, 0>(frame);
    }
}

template <std::size_t known_bytes, std::size_t known_width>
void MergeJoinedStep::run_blocks(Frame &frame) const {
    const std::size_t bytes = known_bytes != 0 ? known_bytes : target_.bytes;
    const std::size_t width = known_width != 0 ? known_width : width_;
    const Index &a = frame.index(a_.index);
    const Index &b = frame.index(b_.index);
    const Index &both = frame.index(both_.index);
    const std::byte *const a_cells = frame.cells(a_.cells).data;
    const std::byte *const b_cells = frame.cells(b_.cells).data;
    const std::byte *const both_cells = frame.cells(both_.cells).data;
    const std::uint32_t *const a_of = frame.map(a_map_).of.data();
    const std::uint32_t *const b_of = frame.map(b_map_).of.data();
    // One block more than there can be: what is skipped is written, too, and overwritten.
    const std::size_t most = block_number(blocks_of(frame, a) + blocks_of(frame, b) + 1);
    std::byte *const cells = room_for(frame, target_, most);
    Index &result = frame.index(target_.index);
    std::uint32_t *const offsets = result.own_offsets.room(frame.documents + 1);
    Label *const labels = result.own_labels.room(most * width);
    std::uint32_t count = 0;
    offsets[0] = 0;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        // The blocks of a, in their order. Those that b has, too, are replaced.
        const std::uint32_t a_begin = a.begin(document);
        const std::uint32_t a_count = a.end(document) - a_begin;
        const std::uint32_t b_begin = b.begin(document);
        const std::uint32_t b_count = b.end(document) - b_begin;
        if (a_count != 0) {
            std::memcpy(cells + count * bytes, a_cells + a_begin * bytes, a_count * bytes);
            std::copy_n(a.labels + a_begin * width, a_count * width, labels + count * width);
        }
        std::byte *const in_a = frame.scratch->bytes.room(b_count + 1);
        std::fill_n(in_a, b_count, std::byte{0});
        for (std::uint32_t block = both.begin(document); block < both.end(document); ++block) {
            copy_bytes(cells + (count + a_of[block] - a_begin) * bytes, both_cells + block * bytes, bytes);
            in_a[b_of[block] - b_begin] = std::byte{1};
        }
        count += a_count;
        for (std::uint32_t i = 0; i < b_count; ++i) {
            const std::size_t block = b_begin + i;
            copy_bytes(cells + count * bytes, b_cells + block * bytes, bytes);
            for (std::size_t k = 0; k < width; ++k) {
                labels[count * width + k] = b.labels[block * width + k];
            }
            count += in_a[i] == std::byte{0} ? 1 : 0;
        }
        offsets[document + 1] = count;
    }
    result.offsets = offsets;
    result.labels = labels;
    result.shared = target_.index.stage != Stage::document;
}

}  // namespace tenrex::program
