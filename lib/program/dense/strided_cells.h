// The cells of an operand that has some of the dimensions of a result, as the tiles of a region read them: nothing is
// copied but what a tile needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/kernels/tile/tile_kernels.h"
#include "lib/program/layout.h"
#include "lib/program/value.h"

namespace tenrex::program {

// Tiles with strided cells have no more cells.
inline constexpr std::size_t most_strided_tile = 4096;

// A region's tiles have rows: so many cells of the result, one after the other. Of an operand a row is a run of cells,
// or one cell; and where it has so many cells, each row is as far from the one before as that is from its own. Shorter
// rows than a vector are written out.
class StridedCells {
public:
    // Where the operand's cells are, and how far those of a document or block are from those before, in bytes.
    struct Blocks {
        const std::byte *data = nullptr;
        std::ptrdiff_t stride = 0;
    };

    // nest: over the cells of a document or block of the result; the strides are those of the operand, in cells, of
    // which there are `own`. type: f32 or f64.
    StridedCells(const LoopNest<1> &nest, std::size_t own, CellType type, const kernels::TileTarget &target);

    // How many cells follow each other, in the result, in the operand or in one place of it.
    std::size_t run() const noexcept { return run_.size; }
    // Rows have so many cells, or it is 0 and there are none; tiles have at most so many cells. To be called once.
    void set_tile(std::size_t row, std::size_t tile);
    // What a tile needs, in bytes.
    std::size_t room() const noexcept;
    // How a value of a tile is read.
    kernels::TileValue value(std::byte *room) const noexcept;

    // Lets the value point to the cells for those of the result from `first` on, counted over all documents or blocks.
    // written: what the room has, of the step; 0 when a step begins.
    void point(kernels::TileValue &value, std::byte *room, std::size_t &written, const Blocks &source,
               std::size_t first, kernels::TileSize size) const;

private:
    bool has_rows() const noexcept { return row_ != 0; }
    // One cell for a row.
    bool is_fixed() const noexcept { return has_rows() && run_.strides[0] == 0; }
    const std::byte *document(const Blocks &source, std::size_t number) const noexcept {
        return source.data + static_cast<std::ptrdiff_t>(number) * source.stride;
    }
    // How far so many rows of a document, from one on, are from each other, in cells; none if they have no distance.
    std::optional<std::ptrdiff_t> distance(std::size_t row, std::size_t rows) const noexcept;
    // Whether so many rows of a document, from one on, are columns of a matrix.
    bool is_transposed(std::size_t row, kernels::TileSize size) const noexcept;
    void point_to_fixed(kernels::TileValue &value, std::byte *room, const Blocks &source, std::size_t first,
                        std::size_t rows) const;
    template <class Word>
    void write_fixed(std::byte *room, const Blocks &source, std::size_t row, std::size_t rows) const;
    template <class Word>
    void write(std::byte *room, const Blocks &source, std::size_t first, std::size_t count) const;
    void write_out(std::byte *room, const Blocks &source, std::size_t first, std::size_t count) const;
    void repeat(std::byte *room, const Blocks &source, std::size_t first) const;

    std::vector<Axis<1>> outer_;  // the loops around the run, innermost first
    Axis<1> run_;
    std::vector<Axis<1>> rows_;  // the loops over the rows, innermost first
    std::size_t cells_ = 1;      // of the result
    std::size_t own_;            // cells of the operand
    std::size_t width_;          // bytes of a cell
    std::size_t vector_bytes_;
    const kernels::TypedTileKernels *kernels_;
    kernels::TransposeFunction *transpose_;
    std::size_t row_ = 0;
    std::size_t tile_ = 0;
    std::size_t repeated_ =
        0;  // cells that are written once for a document, as a few come over and over; 0: there are none
};

}  // namespace tenrex::program
