// The cells of an operand that has some of the dimensions of a result, as the tiles of a region read them: nothing is
// copied but what a tile needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/kernels/tile/tile_kernels.h"
#include "lib/program/layout.h"
#include "lib/program/value.h"

namespace tenrex::program {

// Tiles with strided cells have no more cells.
inline constexpr std::size_t most_strided_tile = 1024;

class StridedCells {
public:
    // nest: over the cells of a document or block of the result; the strides are those of the operand, in cells. type:
    // f32 or f64.
    StridedCells(const LoopNest<1> &nest, CellType type, const kernels::TileTarget &target);

    // Tiles of whole vectors that begin at a multiple of it read the operand without copies. 0: there is no such
    // number.
    std::size_t row() const noexcept {
        return run_.size % kernels::tile_cells == 0 && run_.size < cells_ ? run_.size : 0;
    }
    // Tiles have so many cells, which are several rows or part of one. To be called once.
    void set_tile(std::size_t tile);
    // What a tile needs, in bytes.
    std::size_t room() const noexcept;
    // How a value of a tile goes on. Makes ready what the room has beside the cells.
    kernels::TileValue value(std::byte *room) const noexcept;

    // Lets the value point to the cells for those of the result from `first` on, counted over all documents or blocks.
    // written: what the room has, of the step; 0 when a step begins.
    void point(kernels::TileValue &value, std::byte *room, std::size_t &written, const Cells &source, std::size_t first,
               std::size_t count) const;

private:
    // One cell for a number of whole vectors.
    bool has_rows() const noexcept { return run_.strides[0] == 0 && row() != 0; }
    std::size_t rows() const noexcept { return tile_ < run_.size ? 1 : tile_ / run_.size; }
    // Behind the vectors of the rows: where they are.
    kernels::TileValue *vectors(std::byte *room) const noexcept {
        return reinterpret_cast<kernels::TileValue *>(room + rows() * vector_bytes_);
    }
    const std::byte *document(const Cells &source, std::size_t number) const noexcept {
        return source.data + static_cast<std::ptrdiff_t>(number) * source.stride;
    }
    // Of a run of the nest, in cells.
    std::ptrdiff_t offset_of(std::size_t run) const noexcept;
    void broadcast_rows(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const;
    template <class Word>
    void write(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const;
    void write_out(std::byte *room, const Cells &source, std::size_t first, std::size_t count) const;
    void repeat(std::byte *room, const Cells &source, std::size_t first) const;

    std::vector<Axis<1>> outer_;  // the loops around the run, innermost first
    Axis<1> run_;
    std::size_t cells_ = 1;  // of the result
    std::size_t width_;      // bytes of a cell
    std::size_t vector_bytes_;
    const kernels::TypedTileKernels *kernels_;
    std::size_t tile_ = 0;
    bool repeats_ = false;  // a few cells come over and over: they are written once for a document
};

}  // namespace tenrex::program
