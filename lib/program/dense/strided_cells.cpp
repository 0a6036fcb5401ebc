#include "lib/program/dense/strided_cells.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileSize;
using kernels::TileValue;

constexpr std::size_t most_repeated = 1024;

// Of a run of a nest in an array, in cells.
std::ptrdiff_t offset_of(const std::vector<Axis<1>> &axes, std::size_t turn) noexcept {
    std::ptrdiff_t offset = 0;
    for (const Axis<1> &axis : axes) {
        offset += static_cast<std::ptrdiff_t>(turn % axis.size) * axis.strides[0];
        turn /= axis.size;
    }
    return offset;
}

constexpr std::size_t whole_vectors(std::size_t cells) noexcept {
    return (cells + tile_cells - 1) / tile_cells * tile_cells;
}

}  // namespace

StridedCells::StridedCells(const LoopNest<1> &nest, std::size_t own, CellType type, const kernels::TileTarget &target)
    : outer_(nest.outer().rbegin(), nest.outer().rend()),
      run_(nest.run()),
      cells_(nest.run().size * nest.runs()),
      own_(own),
      width_(byte_size(type)),
      vector_bytes_(target.vector_bytes),
      kernels_(&target.of(type)),
      transpose_(target.transpose(width_)) {}

void StridedCells::set_tile(std::size_t row, std::size_t tile) {
    tile_ = tile;
    if (row != 0 && run_.size % row == 0) {
        row_ = row;
        // The same loops but for the innermost, which goes over the rows of a run.
        LoopNest<1> nest;
        for (auto axis = outer_.rbegin(); axis != outer_.rend(); ++axis) {
            nest.add(axis->size, axis->strides);
        }
        nest.add(run_.size / row, {run_.strides[0] * static_cast<std::ptrdiff_t>(row)});
        rows_.assign(nest.outer().rbegin(), nest.outer().rend());
        rows_.insert(rows_.begin(), nest.run());
    }
    const bool is_once =
        std::all_of(outer_.begin(), outer_.end(), [](const auto &axis) { return axis.strides[0] == 0; });
    if (!is_once || is_fixed() || run_.size > most_repeated) {
        return;
    }
    if (run_.size == row_) {
        repeated_ = row_;
    } else if (run_.size + tile < cells_) {
        repeated_ = run_.size + tile;
    }
}

std::size_t StridedCells::room() const noexcept {
    return is_fixed() ? std::max(vector_bytes_, tile_ / row_ * width_)
                      : (std::max(tile_, repeated_) + tile_cells) * width_;
}

TileValue StridedCells::value(std::byte *room) const noexcept {
    return {room, is_fixed() ? 0 : ~std::uintptr_t{0}};
}

std::optional<std::ptrdiff_t> StridedCells::distance(std::size_t row, std::size_t rows) const noexcept {
    const Axis<1> &axis = rows_.front();
    if (rows == 1 || row % axis.size + rows <= axis.size) {
        return axis.strides[0];
    }
    return std::nullopt;
}

// Word: as wide as a cell.
template <class Word>
void StridedCells::write_fixed(std::byte *room, const Blocks &source, std::size_t row, std::size_t rows) const {
    const std::size_t in_document = cells_ / row_;
    const Axis<1> &axis = rows_.front();
    const std::byte *at = nullptr;
    for (std::size_t i = 0, turns = 0; i < rows; ++i, ++row, --turns) {
        if (turns == 0) {
            turns = axis.size - row % axis.size;
            at = document(source, row / in_document) +
                 offset_of(rows_, row % in_document) * static_cast<std::ptrdiff_t>(sizeof(Word));
        }
        std::memcpy(room + i * sizeof(Word), at, sizeof(Word));
        at += axis.strides[0] * static_cast<std::ptrdiff_t>(sizeof(Word));
    }
}

bool StridedCells::is_transposed(std::size_t row, TileSize size) const noexcept {
    return has_rows() && run_.strides[0] > 1 && size.rows >= kernels::transposed_at_once(width_) &&
           distance(row, size.rows) == std::ptrdiff_t{1};
}

void StridedCells::point_to_fixed(TileValue &value, std::byte *room, const Blocks &source, std::size_t first,
                                  std::size_t rows) const {
    const std::size_t row = first / row_;
    const std::size_t in_document = cells_ / row_;
    const std::size_t own_row = row % in_document;
    const std::optional<std::ptrdiff_t> step =
        own_row + rows <= in_document ? distance(own_row, rows) : std::optional<std::ptrdiff_t>();
    if (!step) {
        width_ == sizeof(std::uint32_t) ? write_fixed<std::uint32_t>(room, source, row, rows)
                                        : write_fixed<std::uint64_t>(room, source, row, rows);
        value.cells = room;
        value.row_bytes = static_cast<std::ptrdiff_t>(width_);
        return;
    }
    const std::byte *const cell =
        document(source, row / in_document) + offset_of(rows_, own_row) * static_cast<std::ptrdiff_t>(width_);
    if (rows == 1) {
        value.cells = room;
        kernels_->broadcast(&value, &cell, 1);
        return;
    }
    value.cells = const_cast<std::byte *>(cell);
    value.row_bytes = *step * static_cast<std::ptrdiff_t>(width_);
}

// Word: as wide as a cell.
template <class Word>
void StridedCells::write(std::byte *room, const Blocks &source, std::size_t first, std::size_t count) const {
    constexpr std::size_t together = 4;
    std::byte *to = room;
    const auto step = run_.strides[0] * static_cast<std::ptrdiff_t>(sizeof(Word));
    const std::size_t axis = outer_.empty() ? 1 : outer_.front().size;
    const std::ptrdiff_t along = outer_.empty() ? 0 : outer_.front().strides[0];
    // From there to the end of the run.
    const auto write_run = [&](const std::byte *from, std::size_t cells) {
        if (step == 0) {
            Word word;
            std::memcpy(&word, from, sizeof(Word));
            const Word words[together] = {word, word, word, word};
            // There is room behind the last cell, and the next run comes afterwards.
            for (std::size_t i = 0; i < cells; i += together) {
                std::memcpy(to + i * sizeof(Word), words, sizeof(words));
            }
        } else if (step == sizeof(Word)) {
            std::memcpy(to, from, cells * sizeof(Word));
        } else {
            for (std::size_t i = 0; i < cells; ++i) {
                std::memcpy(to + i * sizeof(Word), from + static_cast<std::ptrdiff_t>(i) * step, sizeof(Word));
            }
        }
        to += cells * sizeof(Word);
    };
    while (count != 0) {
        const std::byte *const cells = document(source, first / cells_);
        std::size_t at = first % cells_;
        std::size_t left = std::min(count, cells_ - at);
        first += left;
        count -= left;
        std::size_t run = at / run_.size;
        at %= run_.size;
        while (left != 0) {
            // Along the innermost loop around the runs.
            std::ptrdiff_t offset = offset_of(outer_, run);
            for (std::size_t turns = axis - run % axis; turns != 0 && left != 0; --turns, ++run, offset += along) {
                const std::size_t now = std::min(left, run_.size - at);
                write_run(cells + (offset + static_cast<std::ptrdiff_t>(at) * run_.strides[0]) *
                                      static_cast<std::ptrdiff_t>(sizeof(Word)),
                          now);
                left -= now;
                at = 0;
            }
        }
    }
}

void StridedCells::write_out(std::byte *room, const Blocks &source, std::size_t first, std::size_t count) const {
    width_ == sizeof(std::uint32_t) ? write<std::uint32_t>(room, source, first, count)
                                    : write<std::uint64_t>(room, source, first, count);
}

// The cells that come over and over, from `first` on.
void StridedCells::repeat(std::byte *room, const Blocks &source, std::size_t first) const {
    const std::size_t bytes = repeated_ * width_;
    std::size_t done = run_.size * width_;
    write_out(room, source, first, run_.size);
    while (done < bytes) {
        const std::size_t now = std::min(done, bytes - done);
        std::memcpy(room + done, room, now);
        done += now;
    }
}

void StridedCells::point(TileValue &value, std::byte *room, std::size_t &written, const Blocks &source,
                         std::size_t first, TileSize size) const {
    if (is_fixed()) {
        point_to_fixed(value, room, source, first, size.rows);
        return;
    }
    const std::size_t number = first / cells_;
    const std::size_t at = first % cells_;
    const bool is_within = at + size.all() <= cells_;
    const std::size_t row = has_rows() ? row_ : run_.size;
    const std::size_t in_row = at % row;
    if (is_within && run_.strides[0] == 1 && in_row + size.cells <= row) {
        const std::optional<std::ptrdiff_t> step = has_rows() ? distance(at / row, size.rows) : std::ptrdiff_t{0};
        const std::ptrdiff_t offset =
            offset_of(has_rows() ? rows_ : outer_, at / row) + static_cast<std::ptrdiff_t>(in_row);
        // Whole vectors are read, of cells that are there.
        const std::size_t last =
            step ? static_cast<std::size_t>(offset + *step * static_cast<std::ptrdiff_t>(size.rows - 1)) : own_;
        if (last + whole_vectors(size.cells) <= own_) {
            value.cells =
                const_cast<std::byte *>(document(source, number)) + offset * static_cast<std::ptrdiff_t>(width_);
            value.row_bytes = *step * static_cast<std::ptrdiff_t>(width_);
            return;
        }
    }
    value.row_bytes = static_cast<std::ptrdiff_t>(size.cells * width_);
    if (repeated_ != 0 && is_within) {
        const std::size_t wanted = source.stride == 0 ? 1 : number + 1;
        if (written != wanted) {
            repeat(room, source, number * cells_);
            written = wanted;
        }
        value.cells = room + at % run_.size * width_;
        if (repeated_ == row_) {
            value.row_bytes = 0;
        }
        return;
    }
    value.cells = room;
    written = 0;
    if (is_within && is_transposed(at / row, size)) {
        const auto bytes = static_cast<std::ptrdiff_t>(width_);
        const std::ptrdiff_t offset =
            offset_of(rows_, at / row) + static_cast<std::ptrdiff_t>(in_row) * run_.strides[0];
        transpose_({room, value.row_bytes, document(source, number) + offset * bytes, run_.strides[0] * bytes,
                    size.cells, size.rows});
        return;
    }
    write_out(room, source, first, size.all());
}

}  // namespace tenrex::program
