// How a region gets the cells of values that have fewer of them than its results.
#include <algorithm>
#include <cstring>

#include "lib/program/dense/float_parts.h"
#include "lib/program/dense/region_step.h"

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileOperation;
using kernels::TileValue;

// So many cells, and up to a whole number of vectors behind them. In vectors as they are read soon after.
void fill(const kernels::TypedTileKernels &kernels, std::byte *to, std::size_t count, const std::byte *cell) {
    CacheLine vector;
    const TileValue values[] = {{to, ~std::uintptr_t{0}}, {vector.bytes, 0}};
    kernels.broadcast(values + 1, &cell, 1);
    TileOperation copy;
    copy.function = kernels.operations[static_cast<std::size_t>(kernels::ElementwiseOperation::copy)];
    copy.in[0] = 1;
    copy.function.tile(copy, values, count);
}

}  // namespace

// Writes out the cells for so many, from any of them on, unless they are there as they are read.
void RegionStep::repeat(Frame &frame, const Memory &memory, std::size_t count) const {
    for (std::size_t i = shared_rows_.begin; i < shared_rows_.end; ++i) {
        const Source &source = sources_[i];
        const std::byte *const cells = frame.cells(source.from).data;
        if (count <= source.period && count % tile_cells == 0) {
            memory.sources[i] = cells;
            continue;
        }
        std::byte *const room = memory.base + places_[source.value].offset;
        const std::size_t bytes = source.period * source.width;
        const std::size_t all = std::min(tile_, count) * source.width + bytes;
        std::memcpy(room, cells, bytes);
        for (std::size_t done = bytes; done < all;) {
            const std::size_t now = std::min(done, all - done);
            std::memcpy(room + done, room, now);
            done += now;
        }
        memory.sources[i] = room;
    }
}

// The number of a document that is broadcast, as its cells take it.
void RegionStep::read_number(const Source &source, const Cells &cells, std::size_t document, std::byte *to) const {
    const std::byte *const from = cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride;
    if (source.part == BroadcastPart::all) {
        std::memcpy(to, from, source.width);
        return;
    }
    double number;
    std::memcpy(&number, from, sizeof(number));
    const auto part = static_cast<float>(source.part == BroadcastPart::nearest_float ? number
                                         : source.part == BroadcastPart::rest        ? rest_of(number)
                                                                                     : rest_of(-number));
    std::memcpy(to, &part, sizeof(part));
}

// One vector for each number that is broadcast to the cells of a document.
void RegionStep::broadcast_documents(Frame &frame, const Memory &memory, std::size_t document) const {
    for (std::size_t i = document_numbers_.begin; i < document_numbers_.end; ++i) {
        const Source &source = sources_[i];
        CacheLine number;
        read_number(source, frame.cells(source.from), document, number.bytes);
        const std::byte *const from = number.bytes;
        kernels_of(source).broadcast(memory.last + source.value, &from, 1);
    }
}

// Writes out the numbers of the documents to which these cells belong.
void RegionStep::write_documents(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    const Index *const index = index_ ? &frame.index(index_) : nullptr;
    const auto end_of = [&](std::size_t document) {
        return (index != nullptr ? std::size_t{index->end(document)} : document + 1) * cells_;
    };
    std::size_t first_document = first / cells_;
    if (index != nullptr) {
        const std::uint32_t *const ends = index->offsets + 1;
        first_document = static_cast<std::size_t>(
            std::upper_bound(ends, ends + (index->shared ? 1 : frame.documents), first / cells_) - ends);
    }
    for (std::size_t i = document_numbers_.begin; i < document_numbers_.end; ++i) {
        const Source &source = sources_[i];
        const Cells &cells = frame.cells(source.from);
        std::byte *to = memory.base + places_[source.value].offset;
        std::size_t document = first_document;
        for (std::size_t at = first; at < first + count; ++document) {
            const std::size_t now =
                std::min(end_of(document), first + count) - at;  // none of a document without blocks
            CacheLine number;
            read_number(source, cells, document, number.bytes);
            fill(kernels_of(source), to, now, number.bytes);
            to += now * source.broadcast_width();
            at += now;
        }
    }
}

// The numbers of the documents to which the rows of a tile belong: one cell for each row, or a vector for all.
void RegionStep::point_to_documents(Frame &frame, const Memory &memory, TileValue *values, std::size_t first,
                                    kernels::TileSize size) const {
    const std::size_t in_document = cells_ / row_;
    const std::size_t first_document = first / cells_;
    const std::size_t left = in_document - first % cells_ / row_;  // rows of that document
    for (std::size_t i = document_numbers_.begin; i < document_numbers_.end; ++i) {
        const Source &source = sources_[i];
        const Cells &cells = frame.cells(source.from);
        TileValue &value = values[source.value];
        value.cells = memory.base + places_[source.value].offset;
        CacheLine number;
        if (size.rows <= left) {
            read_number(source, cells, first_document, number.bytes);
            const std::byte *const from = number.bytes;
            kernels_of(source).broadcast(&value, &from, 1);
            value.row_bytes = 0;
            continue;
        }
        const std::size_t width = source.broadcast_width();
        value.row_bytes = static_cast<std::ptrdiff_t>(width);
        std::byte *to = value.cells;
        std::size_t document = first_document;
        for (std::size_t row = 0, end = left; row < size.rows; ++document, end += in_document) {
            read_number(source, cells, document, number.bytes);
            for (; row < std::min(end, size.rows); ++row, to += width) {
                std::memcpy(to, number.bytes, width);
            }
        }
    }
}

// What is written out, from cell `first` of all cells on.
void RegionStep::write_out(Frame &frame, const Memory &memory, TileValue *values, std::size_t first,
                           kernels::TileSize size) const {
    for (std::size_t i = shared_rows_.begin; i < shared_rows_.end; ++i) {
        const Source &source = sources_[i];
        const std::size_t at = first < source.period ? first : first % source.period;
        values[source.value].cells = const_cast<std::byte *>(memory.sources[i]) + at * source.width;
    }
    if (documents_are_rows_) {
        point_to_documents(frame, memory, values, first, size);
    } else if (document_numbers_.begin != document_numbers_.end &&
               memory.whole[sources_[document_numbers_.begin].value].goes_on != 0) {
        write_documents(frame, memory, first, size.all());
    }
    for (std::size_t i = strided_.begin; i < strided_.end; ++i) {
        const Source &source = sources_[i];
        const Cells &cells = frame.cells(source.from);
        strided_cells_[i - strided_.begin].point(values[source.value], memory.base + places_[source.value].offset,
                                                 memory.written[i - strided_.begin], {cells.data, source.stride(cells)},
                                                 first, size);
    }
}

}  // namespace tenrex::program
