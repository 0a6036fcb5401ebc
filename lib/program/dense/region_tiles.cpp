// How a region goes from tile to tile.
#include <algorithm>
#include <cstring>
#include <span>

#include "lib/program/dense/region_step.h"

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileOperation;
using kernels::TileSize;
using kernels::TileValue;

// Documents with so many cells in rows have tiles of their own.
constexpr std::size_t many_rows_cells = 256;

}  // namespace

inline void RegionStep::run_operations(const TileValue *values, TileSize size) const {
    if (size.rows == 1) {
        for (const TileOperation &operation : std::span(operations_).first(in_one_row_.size())) {
            operation.function.tile(operation, values, size);
        }
        return;
    }
    const TileSize in_one_row(size.rows * whole_row_);
    for (std::size_t i = 0; i < in_one_row_.size(); ++i) {
        operations_[i].function.tile(operations_[i], values, in_one_row_[i] ? in_one_row : size);
    }
}

void RegionStep::compute(const Memory &memory, const TileValue *values, TileSize size) const {
    for (std::size_t i = converted_.begin; i < converted_.end; ++i) {
        const Source &source = sources_[i];
        source.conversion->function({memory.sources[i], static_cast<std::ptrdiff_t>(row_ * source.width),
                                     values[source.value].cells, values[source.value].row_bytes, size.rows,
                                     size.cells});
    }
    run_operations(values, size);
}

// How many of so many rows may be in a tile. Strided cells of one document are read as they are.
inline std::size_t RegionStep::rows_together(std::size_t first, std::size_t rows) const noexcept {
    const bool are_apart = strided_.begin != strided_.end && cells_ >= many_rows_cells;
    return are_apart ? (cells_ - first % cells_) / row_ : rows;
}

// The next tile of rows that become numbers. A row is computed in the same way wherever it is: if tiles may read cells
// behind the last one of a row there is none for the very last row, whose cells are copied.
inline TileSize RegionStep::next_rows(std::size_t first, std::size_t count) const noexcept {
    const std::size_t left = row_ - first % row_;
    const std::size_t part = std::min(tile_, left);
    if (count == part) {
        return reads_exactly_ || part % tile_cells == 0 ? part : 0;
    }
    if (part < row_) {
        return part;
    }
    const std::size_t rows = (whole_row_ == row_ || reads_exactly_ ? count : count - 1) / row_;
    return {row_, std::min({rows, rows_together(first, rows), tile_ / whole_row_})};
}

// How many of the next cells are a tile; none if they are less than whole vectors, and the last ones. What a row is too
// short for its last vector is written over by the next one.
inline TileSize RegionStep::next_tile(std::size_t first, std::size_t count) const noexcept {
    if (reduction_) {
        return count == 0 ? 0 : next_rows(first, count);
    }
    const std::size_t most = std::min(tile_, count / tile_cells * tile_cells);
    if (most == 0) {
        return most;
    }
    if (row_ == 0) {
        // Of one document: what is written out serves all of its tiles.
        return cells_ >= tile_ && cells_ % tile_cells == 0 ? std::min(most, cells_ - first % cells_) : most;
    }
    const std::size_t left = row_ - first % row_;
    if (count <= left) {
        return most;
    }
    if (left < row_ || whole_row_ > tile_) {
        return std::min(tile_, left);
    }
    const std::size_t rows = (whole_row_ == row_ ? count : count - 1) / row_;
    return {row_, std::min({rows, rows_together(first, rows), tile_ / whole_row_})};
}

// The totals of the rows from that cell on.
RowTotals RegionStep::totals_from(Frame &frame, std::size_t first) const {
    if (!reduction_) {
        return {Aggregator::sum, 1, 1, CellType::f64, nullptr};
    }
    std::byte *const to = frame.cells(reduction_->to).data + first / reduction_->length * byte_size(reduction_->type);
    return {reduction_->aggregator, reduction_->parts, reduction_->length, reduction_->type, to};
}

void RegionStep::reduce_rows(const TileValue *values, TileSize size, RowTotals &totals) const {
    double parts[most_strided_tile / tile_cells];
    const std::size_t together = size.rows == 1 ? 1 : reduction_->together;
    const std::size_t count = size.rows / together;
    if (reduction_->function != nullptr) {
        reduction_->function(operations_[operations_.size() - 2], values, size, together, parts);
    } else {
        const TileValue &value = values[reduction_->value];
        reduction_->kernel->function({value.cells, value.row_bytes * static_cast<std::ptrdiff_t>(together), count,
                                      size.cells * together, parts});
    }
    totals.add({parts, count});
}

// Of the results those from `first` on; the sources are at their first cells. has_rows: tiles may be rows of strided
// values, or of what becomes numbers. Documents with few cells ask for nothing of it if there is none.
template <bool has_rows>
inline void RegionStep::run_tiles(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    RowTotals totals = totals_from(frame, first);
    const auto next = [&]() -> TileSize {
        if constexpr (has_rows) {
            return next_tile(first, count);
        }
        return std::min(tile_, count / tile_cells * tile_cells);
    };
    const auto run = [&](const TileValue *values, TileSize size) {
        compute(memory, values, size);
        if (has_rows && reduction_) {
            reduce_rows(values, size, totals);
        }
    };
    for (TileSize now = next(); now.cells != 0; now = next()) {
        for (std::size_t i = whole_.begin; i < whole_.end; ++i) {
            memory.whole[i].cells = const_cast<std::byte *>(memory.sources[i]);
        }
        for (const Output &output : outputs_) {
            memory.whole[output.value].cells = frame.cells(output.to).data + first * output.width;
        }
        write_out(frame, memory, memory.whole, first, now);
        run(memory.whole, now);
        for (const Sources &range : {whole_, converted_}) {
            for (std::size_t i = range.begin; i < range.end; ++i) {
                memory.sources[i] += now.all() * sources_[i].width;
            }
        }
        first += now.all();
        count -= now.all();
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
        if (shared_rows_.begin != shared_rows_.end) {
            copy_last(memory, first, count);
        }
        run(memory.last, count);
        store_last(frame, memory, first, count);
    }
}

void RegionStep::run_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    if (!reduction_ && strided_cells_.empty() && !documents_are_rows_) {
        run_tiles<false>(frame, memory, first, count);
        return;
    }
    std::fill_n(memory.written, strided_cells_.size(), 0);
    run_tiles<true>(frame, memory, first, count);
}

// Shared rows that are read where they are may end with these cells, and whole vectors would go beyond them.
void RegionStep::copy_last(const Memory &memory, std::size_t first, std::size_t count) const {
    for (std::size_t i = shared_rows_.begin; i < shared_rows_.end; ++i) {
        const Source &source = sources_[i];
        std::byte *const room = memory.base + places_[source.value].offset;
        if (memory.sources[i] != room && first % source.period + tile_cells > source.period) {
            TileValue &value = memory.last[source.value];
            std::memcpy(room, value.cells, count * source.width);
            value.cells = room;
        }
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
            const auto gather = [&](auto number) {
                for (std::size_t k = 0; k < count; ++k, from += stride, to += sizeof(number)) {
                    std::memcpy(&number, from, sizeof(number));
                    std::memcpy(to, &number, sizeof(number));
                }
            };
            source.width == sizeof(double) ? gather(double()) : gather(float());
        }
        run_operations(memory.last, count);
        store_last(frame, memory, first, count);
    }
}

}  // namespace tenrex::program
