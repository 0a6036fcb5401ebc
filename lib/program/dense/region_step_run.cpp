// How a region runs.
#include <algorithm>
#include <cstring>

#include "lib/program/blocks.h"
#include "lib/program/dense/region_step.h"

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileValue;

constexpr std::size_t many_cells = 64;

}  // namespace

RegionStep::Memory RegionStep::memory_at(std::byte *memory) const noexcept {
    auto *const whole = reinterpret_cast<TileValue *>(memory);
    auto **const sources = reinterpret_cast<const std::byte **>(whole + 2 * places_.size());
    return {whole, whole + places_.size(), sources, reinterpret_cast<std::size_t *>(sources + sources_.size()), memory};
}

void RegionStep::prepare(Store &store) const {
    std::byte *const base = store.tiles[tiles_].room(memory_bytes_);
    // Operations work on whole vectors: what is behind the last cells should be numbers.
    std::memset(base, 0, memory_bytes_);
    const Memory memory = memory_at(base);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place &place = places_[i];
        std::byte *const cells =
            place.constant ? const_cast<std::byte *>(constants_.front().bytes) + place.offset : base + place.offset;
        memory.whole[i] = memory.last[i] =
            TileValue{cells, place.goes_on ? ~std::uintptr_t{0} : 0, static_cast<std::ptrdiff_t>(place.row_bytes)};
        if (place.constant) {
            std::memcpy(base + single_cells_ + i * kernels::single_cell_bytes, cells, kernels::single_cell_bytes);
        }
    }
    if (documents_are_rows_) {
        set_documents(memory, false);
    }
    for (std::size_t i = strided_.begin; i < strided_.end; ++i) {
        const std::uint32_t value = sources_[i].value;
        memory.whole[value] = memory.last[value] =
            strided_cells_[i - strided_.begin].value(base + places_[value].offset);
    }
}

// The cell that stands for all fills a vector.
inline void RegionStep::broadcast_numbers(const Memory &memory) const {
    const auto run = [&](CellType type, std::size_t begin, std::size_t end) {
        if (begin != end) {
            target_.of(type).broadcast(memory.last + begin, memory.sources + begin, end - begin);
        }
    };
    run(CellType::f64, shared_numbers_.begin, shared_numbers_.doubles);
    run(CellType::f32, shared_numbers_.doubles, shared_numbers_.end);
}

void RegionStep::run(Frame &frame) const {
    if (index_) {
        run_blocks(frame);
    } else {
        cells_ == 1 && frame.documents == 1 ? run_single_cell(frame) : run_documents(frame);
    }
}

void RegionStep::run_document(Frame &frame, std::size_t document) const {
    const Memory memory = memory_at(store_of(frame).tiles[tiles_].data());
    set_documents(memory, false);
    if (index_) {
        const Index &index = frame.index(index_);
        point_to(frame, memory, 0);
        broadcast_numbers(memory);
        repeat(frame, memory, (index.end(document) - index.begin(document)) * cells_);
        run_blocks_of(frame, memory, document, true);
        return;
    }
    point_to(frame, memory, document);
    broadcast_numbers(memory);
    repeat(frame, memory, cells_);
    broadcast_documents(frame, memory, document);
    share_cells(frame, memory, document * cells_, cells_);
}

// Whether the numbers of documents are written out, or one vector stands for all.
void RegionStep::set_documents(const Memory &memory, bool written_out) const {
    for (std::size_t i = document_numbers_.begin; i < document_numbers_.end; ++i) {
        const std::uint32_t value = sources_[i].value;
        memory.whole[value].goes_on = memory.last[value].goes_on = written_out ? ~std::uintptr_t{0} : 0;
        memory.whole[value].row_bytes = written_out ? static_cast<std::ptrdiff_t>(places_[value].row_bytes) : 0;
    }
}

// All blocks of all documents follow each other.
void RegionStep::run_blocks(Frame &frame) const {
    for (const Output &output : outputs_) {
        if (make_indexed_room(frame, {index_, output.to, output.width * cells_}) == nullptr) {
            return;
        }
    }
    if (reduction_ &&
        make_indexed_room(
            frame, {index_, reduction_->to, byte_size(reduction_->type) * (cells_ / reduction_->length)}) == nullptr) {
        return;
    }
    const Memory memory = memory_at(store_of(frame).tiles[tiles_].data());
    const std::size_t cells = frame.index(index_).blocks(frame.documents) * cells_;
    point_to(frame, memory, 0);
    broadcast_numbers(memory);
    repeat(frame, memory, cells);
    // Where documents have many cells, a number for all of them takes less time than writing it out.
    const bool by_documents = document_numbers_.begin != document_numbers_.end && cells >= many_cells * frame.documents;
    set_documents(memory, !by_documents);
    if (!by_documents) {
        share_cells(frame, memory, 0, cells);
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        run_blocks_of(frame, memory, document, false);
    }
}

// Those of one document. alone: and no others, which may have been computed already.
void RegionStep::run_blocks_of(Frame &frame, const Memory &memory, std::size_t document, bool alone) const {
    const Index &index = frame.index(index_);
    const std::size_t first = index.begin(document) * cells_;
    broadcast_documents(frame, memory, document);
    for (const Sources &range : {whole_, converted_}) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            memory.sources[i] = frame.cells(sources_[i].from).data + first * sources_[i].width;
        }
    }
    // Up to whole vectors: what is written too much belongs to documents that come later. Rows do so on their own.
    const std::size_t count = index.end(document) * cells_ - first;
    const std::size_t padded = (count + tile_cells - 1) / tile_cells * tile_cells;
    const bool pads = !alone && row_ == 0 && first + padded <= index.blocks(frame.documents) * cells_;
    share_cells(frame, memory, first, pads ? padded : count);
}

void RegionStep::run_documents(Frame &frame) const {
    const Memory memory = memory_at(store_of(frame).tiles[tiles_].data());
    const bool follow = point_to(frame, memory, 0);
    repeat(frame, memory, frame.documents * cells_);
    if (follow || frame.documents == 1) {
        broadcast_numbers(memory);
        share_cells(frame, memory, 0, frame.documents * cells_);
        return;
    }
    if (cells_ == 1) {
        broadcast_numbers(memory);
        run_scattered(frame, memory);
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        point_to(frame, memory, document);
        broadcast_numbers(memory);
        share_cells(frame, memory, document * cells_, cells_);
    }
}

bool RegionStep::point_to(Frame &frame, const Memory &memory, std::size_t document) const {
    bool follow = true;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (shared_rows_.has(i) || strided_.has(i)) {
            continue;
        }
        const Cells &cells = frame.cells(sources_[i].from);
        memory.sources[i] = cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride;
        const std::size_t stride = shared_numbers_.has(i) ? 0 : sources_[i].width * cells_;
        follow &= document_numbers_.has(i) || cells.stride == static_cast<std::ptrdiff_t>(stride);
    }
    return follow;
}

}  // namespace tenrex::program
