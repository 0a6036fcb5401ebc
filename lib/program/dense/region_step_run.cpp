// How a region runs.
#include <algorithm>
#include <cstring>
#include <span>

#include "lib/program/blocks.h"
#include "lib/program/dense/region_step.h"

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileOperation;
using kernels::TileValue;

constexpr std::size_t many_cells = 64;

}  // namespace

RegionStep::Memory RegionStep::memory_of(Store &store) const noexcept {
    std::byte *const memory = store.tiles[tiles_].data();
    auto *const whole = reinterpret_cast<TileValue *>(memory);
    auto **const sources = reinterpret_cast<const std::byte **>(whole + 2 * places_.size());
    return {whole, whole + places_.size(), sources, reinterpret_cast<std::size_t *>(sources + sources_.size()), memory};
}

void RegionStep::prepare(Store &store) const {
    std::byte *const base = store.tiles[tiles_].room(memory_bytes_);
    // Operations work on whole vectors: what is behind the last cells should be numbers.
    std::memset(base, 0, memory_bytes_);
    const Memory memory = memory_of(store);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place &place = places_[i];
        std::byte *const cells =
            place.constant ? const_cast<std::byte *>(constants_.front().bytes) + place.offset : base + place.offset;
        memory.whole[i] = memory.last[i] = TileValue{cells, place.goes_on ? ~std::uintptr_t{0} : 0};
        if (place.constant) {
            std::memcpy(base + single_cells_ + i * kernels::single_cell_bytes, cells, kernels::single_cell_bytes);
        }
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
    const Memory memory = memory_of(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
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
    run_cells(frame, memory, document * cells_, cells_);
}

// Whether the numbers of documents are written out, or one vector stands for all.
void RegionStep::set_documents(const Memory &memory, bool written_out) const {
    for (std::size_t i = document_numbers_.begin; i < document_numbers_.end; ++i) {
        const std::uint32_t value = sources_[i].value;
        memory.whole[value].goes_on = memory.last[value].goes_on = written_out ? ~std::uintptr_t{0} : 0;
    }
}

// All blocks of all documents follow each other.
void RegionStep::run_blocks(Frame &frame) const {
    for (const Output &output : outputs_) {
        if (make_indexed_room(frame, {index_, output.to, output.width * cells_}) == nullptr) {
            return;
        }
    }
    const Memory memory = memory_of(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    const std::size_t cells = frame.index(index_).blocks(frame.documents) * cells_;
    point_to(frame, memory, 0);
    broadcast_numbers(memory);
    repeat(frame, memory, cells);
    // Where documents have many cells, a number for all of them takes less time than writing it out.
    const bool by_documents = document_numbers_.begin != document_numbers_.end && cells >= many_cells * frame.documents;
    set_documents(memory, !by_documents);
    if (!by_documents) {
        run_cells(frame, memory, 0, cells);
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
    // Up to whole vectors: what is written too much belongs to documents that come later.
    const std::size_t count = index.end(document) * cells_ - first;
    const std::size_t padded = (count + tile_cells - 1) / tile_cells * tile_cells;
    const bool pads = !alone && first + padded <= index.blocks(frame.documents) * cells_;
    run_cells(frame, memory, first, pads ? padded : count);
}

void RegionStep::run_documents(Frame &frame) const {
    const Memory memory = memory_of(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    point_to(frame, memory, 0);
    repeat(frame, memory, frame.documents * cells_);
    if (is_one_run(frame)) {
        broadcast_numbers(memory);
        run_cells(frame, memory, 0, frame.documents * cells_);
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
        run_cells(frame, memory, document * cells_, cells_);
    }
}

void RegionStep::point_to(Frame &frame, const Memory &memory, std::size_t document) const {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (shared_rows_.has(i) || strided_.has(i)) {
            continue;
        }
        const Cells &cells = frame.cells(sources_[i].from);
        memory.sources[i] = cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride;
    }
}

// Whether the cells of all documents follow each other.
bool RegionStep::is_one_run(const Frame &frame) const {
    if (frame.documents == 1) {
        return true;
    }
    bool follow = true;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (shared_rows_.has(i) || document_numbers_.has(i) || strided_.has(i)) {
            continue;
        }
        const std::size_t stride = shared_numbers_.has(i) ? 0 : sources_[i].width * cells_;
        follow &= frame.cells(sources_[i].from).stride == static_cast<std::ptrdiff_t>(stride);
    }
    return follow;
}

inline void RegionStep::run_operations(const TileValue *values, std::size_t count) const {
    for (const TileOperation &operation : std::span(operations_).first(operations_.size() - 1)) {
        operation.function.tile(operation, values, count);
    }
}

// All that a document on its own needs for a scalar formula: loops over one cell would take longer than the formula.
void RegionStep::run_single_cell(Frame &frame) const {
    std::byte *const cells = single_cells(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    const auto copy = [](const std::byte *from, std::byte *to, std::size_t width) {
        width == sizeof(double) ? std::memcpy(to, from, sizeof(double)) : std::memcpy(to, from, sizeof(float));
    };
    for (const Source &source : sources_) {
        if (source.is_placed && frame.are_placed) {
            continue;
        }
        const std::byte *const from = frame.cells(source.from).data;
        std::byte *const to = cells + source.value * kernels::single_cell_bytes;
        if (source.conversion != nullptr) {
            source.conversion->function({from, 0, to, 0, 1, 1});
        } else {
            copy(from, to, source.width);
        }
    }
    kernels::compute_single_cells(operations_, cells);
    for (const Output &output : outputs_) {
        copy(cells + output.value * kernels::single_cell_bytes, frame.cells(output.to).data, output.width);
    }
}

void RegionStep::compute(const Memory &memory, const TileValue *values, std::size_t count) const {
    for (std::size_t i = converted_.begin; i < converted_.end; ++i) {
        const Source &source = sources_[i];
        source.conversion->function({memory.sources[i], 0, values[source.value].cells, 0, 1, count});
    }
    run_operations(values, count);
}

// How many of the next cells, at least tile_cells, are a tile.
inline std::size_t RegionStep::next_tile(std::size_t first, std::size_t count) const noexcept {
    std::size_t now = std::min(tile_, count / tile_cells * tile_cells);
    if (long_row_ != 0) {
        now = std::min(now, long_row_ - first % long_row_);
    } else if (strided_.begin != strided_.end && cells_ >= tile_ && cells_ % tile_cells == 0) {
        now = std::min(now, cells_ - first % cells_);  // what is written for one document serves all of its tiles
    }
    return now;
}

// Of the results those from `first` on; the sources are at their first cells.
void RegionStep::run_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    std::fill_n(memory.written, strided_cells_.size(), 0);
    while (count >= tile_cells) {
        const std::size_t now = next_tile(first, count);
        for (std::size_t i = whole_.begin; i < whole_.end; ++i) {
            memory.whole[i].cells = const_cast<std::byte *>(memory.sources[i]);
        }
        for (const Output &output : outputs_) {
            memory.whole[output.value].cells = frame.cells(output.to).data + first * output.width;
        }
        write_out(frame, memory, memory.whole, first, now);
        compute(memory, memory.whole, now);
        for (const Sources &range : {whole_, converted_}) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                memory.sources[i] += now * sources_[i].width;
            }
        }
        first += now;
        count -= now;
    }
    if (count != 0) {
        const auto load = [&](CellType type, std::size_t begin, std::size_t end) {
            if (begin != end) {
                target_.of(type).load(memory.last + begin, memory.sources + begin, end - begin, count);
            }
        };
        load(CellType::f64, whole_.begin, whole_.doubles);
        load(CellType::f32, whole_.doubles, whole_.end);
        write_out(frame, memory, memory.last, first, count);
        compute(memory, memory.last, count);
        store_last(frame, memory, first, count);
    }
}

void RegionStep::store_last(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    for (const Output &output : outputs_) {
        output.store(frame.cells(output.to).data + first * output.width, memory.last[output.value].cells, count);
    }
}

// One cell of each document, where they do not follow each other.
void RegionStep::run_scattered(Frame &frame, const Memory &memory) const {
    for (std::size_t first = 0; first < frame.documents; first += tile_cells) {
        const std::size_t count = std::min(tile_cells, frame.documents - first);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const Source &source = sources_[i];
            const std::ptrdiff_t stride = frame.cells(source.from).stride;
            const std::byte *from = frame.cells(source.from).data + static_cast<std::ptrdiff_t>(first) * stride;
            std::byte *to = memory.last[source.value].cells;
            if (shared_numbers_.has(i)) {
                continue;
            }
            if (source.conversion != nullptr) {
                // One cell in each row.
                source.conversion->function(
                    {from, stride, to, static_cast<std::ptrdiff_t>(byte_size(source.conversion->to)), count, 1});
                continue;
            }
            for (std::size_t k = 0; k < count; ++k, from += stride, to += source.width) {
                std::memcpy(to, from, source.width);
            }
        }
        run_operations(memory.last, count);
        store_last(frame, memory, first, count);
    }
}

}  // namespace tenrex::program
