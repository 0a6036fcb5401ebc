#include "lib/program/dense/strided_cells.h"

#include <algorithm>
#include <cstring>

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileValue;

constexpr std::size_t most_repeated = 1024;
constexpr std::size_t most_rows = most_strided_tile / tile_cells;

}  // namespace

StridedCells::StridedCells(const LoopNest<1> &nest, CellType type, const kernels::TileTarget &target)
    : outer_(nest.outer().rbegin(), nest.outer().rend()),
      run_(nest.run()),
      cells_(nest.run().size * nest.runs()),
      width_(byte_size(type)),
      vector_bytes_(target.vector_bytes),
      kernels_(&target.of(type)) {}

void StridedCells::set_tile(std::size_t tile) {
    tile_ = tile;
    const bool is_once =
        std::all_of(outer_.begin(), outer_.end(), [](const auto &axis) { return axis.strides[0] == 0; });
    repeats_ = is_once && run_.size <= most_repeated && run_.size + tile < cells_;
}

std::size_t StridedCells::room() const noexcept {
    return has_rows() ? rows() * (vector_bytes_ + sizeof(TileValue))
                      : (tile_ + (repeats_ ? run_.size : 0) + tile_cells) * width_;
}

TileValue StridedCells::value(std::byte *room) const noexcept {
    if (!has_rows()) {
        return {room, ~std::uintptr_t{0}};
    }
    for (std::size_t i = 0; i < rows(); ++i) {
        vectors(room)[i] = {room + i * vector_bytes_, 0};
    }
    return run_.size > tile_ ? TileValue{room, 0} : kernels::value_of_rows(room, run_.size * width_, vector_bytes_);
}

std::ptrdiff_t StridedCells::offset_of(std::size_t run) const noexcept {
    std::ptrdiff_t offset = 0;
    for (const Axis<1> &axis : outer_) {
        offset += static_cast<std::ptrdiff_t>(run % axis.size) * axis.strides[0];
        run /= axis.size;
    }
    return offset;
}

void StridedCells::broadcast_rows(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const {
    const std::byte *cells[most_rows];
    const std::size_t used = count < run_.size ? 1 : count / run_.size;
    const std::size_t runs = cells_ / run_.size;
    std::size_t run = first / run_.size;
    const std::byte *at = nullptr;
    const std::ptrdiff_t along = outer_.front().strides[0] * static_cast<std::ptrdiff_t>(width_);
    for (std::size_t i = 0, turns = 0; i < used; ++i, ++run, --turns, at += along) {
        if (turns == 0) {
            turns = outer_.front().size - run % outer_.front().size;
            at = document(source, run / runs) + offset_of(run % runs) * static_cast<std::ptrdiff_t>(width_);
        }
        cells[i] = at;
    }
    kernels_->broadcast(vectors(room), cells, used);
}

// Word: as wide as a cell.
template <class Word>
void StridedCells::write(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const {
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
            std::ptrdiff_t offset = offset_of(run);
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

void StridedCells::write_out(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const {
    width_ == sizeof(std::uint32_t) ? write<std::uint32_t>(room, source, first, count)
                                    : write<std::uint64_t>(room, source, first, count);
}

// The cells that come over and over, from `first` on.
void StridedCells::repeat(std::byte *room, const Cells &source, std::size_t first) const {
    const std::size_t bytes = (run_.size + tile_) * width_;
    std::size_t done = run_.size * width_;
    write_out(room, source, first, run_.size);
    while (done < bytes) {
        const std::size_t now = std::min(done, bytes - done);
        std::memcpy(room + done, room, now);
        done += now;
    }
}

void StridedCells::point(TileValue &value, std::byte *room, std::size_t &written, const Cells &source,
                         std::size_t first, std::size_t count) const {
    value.cells = room;
    if (has_rows()) {
        broadcast_rows(room, source, first, count);
        return;
    }
    const std::size_t number = first / cells_;
    const std::size_t at = first % cells_;
    const bool is_within = at + count <= cells_;
    if (repeats_ && is_within) {
        const std::size_t wanted = source.stride == 0 ? 1 : number + 1;
        if (written != wanted) {
            repeat(room, source, number * cells_);
            written = wanted;
        }
        value.cells = room + at % run_.size * width_;
        return;
    }
    const std::size_t in_run = at % run_.size;
    if (is_within && run_.strides[0] == 1 && in_run + count <= run_.size && count % tile_cells == 0) {
        const std::ptrdiff_t offset = offset_of(at / run_.size) + static_cast<std::ptrdiff_t>(in_run);
        value.cells = const_cast<std::byte *>(document(source, number)) + offset * static_cast<std::ptrdiff_t>(width_);
        return;
    }
    written = 0;
    write_out(room, source, first, count);
}

}  // namespace tenrex::program
