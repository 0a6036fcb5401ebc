#include "lib/program/sparse/row_steps.h"

#include <cstring>

#include "lib/program/copy_bytes.h"
#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

void SameSizeStep::run(Frame &frame) const {
    const Index &first = frame.index(first_);
    const Index &second = frame.index(second_);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t sizes[] = {first.end(document) - first.begin(document),
                                       second.end(document) - second.begin(document)};
        if (sizes[0] != sizes[1]) {
            frame.too_large = true;
            frame.unequal = &names_;
            frame.unequal_document = document;
            frame.unequal_sizes[0] = sizes[0];
            frame.unequal_sizes[1] = sizes[1];
            return;
        }
    }
    if (!map_) {
        return;
    }
    const Index &rows = first.shared ? second : first;
    std::uint32_t *const of = frame.map(map_).of.room(rows.blocks(frame.documents));
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = rows.begin(document);
        for (std::uint32_t block = begin; block < rows.end(document); ++block) {
            of[block] = block - begin;
        }
    }
}

void AppendStep::run(Frame &frame) const {
    const Index &a = frame.index(parts_[0].index);
    const Index &b = frame.index(parts_[1].index);
    std::byte *cells = room_for(frame, target_, blocks_of(frame, a) + blocks_of(frame, b));
    IndexWriter writer(frame, target_.index, 1);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        std::uint64_t rows = 0;
        for (const IndexedCells &part : parts_) {
            const Index &index = frame.index(part.index);
            const std::byte *const source = frame.cells(part.cells).data;
            const std::uint32_t begin = index.begin(document);
            const std::uint32_t end = index.end(document);
            // The rows of a value may come in any order.
            for (std::uint32_t block = begin; block < end; ++block) {
                copy_bytes(cells + static_cast<std::uint64_t>(index.labels[block]) * target_.bytes,
                           source + block * target_.bytes, target_.bytes);
                *writer.add() = numeric_label(rows + (block - begin));
            }
            cells += (end - begin) * target_.bytes;
            rows += end - begin;
        }
        if (writer.is_too_large()) {
            return;
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program
