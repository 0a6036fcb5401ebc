// Rows of cells that are computed a tile at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/tile/tile_kernels.h"

namespace tenrex::program {

// A function cell by cell of up to three operands, on rows of whole vectors. An operand may be one cell for each row:
// nothing is repeated for that.
class RowTiles {
public:
    // Rows that follow each other, or cells that do.
    struct Operand {
        const std::byte *cells = nullptr;
        bool is_cell = false;  // one for each row
    };
    // By a kernel for the same instructions; nothing if there is none, or if rows of so many cells are no whole
    // vectors.
    static std::optional<RowTiles> make(const kernels::ElementwiseKernel &kernel, std::size_t row_cells);

    // So many are computed together.
    std::size_t rows_of_tile() const noexcept { return rows_of_tile_; }
    // Writes rows that follow each other, any number.
    void run(std::span<const Operand> operands, std::byte *out, std::size_t rows) const noexcept;

private:
    static constexpr std::uint32_t value_of_result = 3;  // behind those of the operands

    RowTiles(const kernels::TileTarget &target, const kernels::ElementwiseKernel &kernel, std::size_t row_cells);

    const kernels::TypedTileKernels *kernels_;
    kernels::TileOperation operation_;
    std::size_t row_cells_, cell_bytes_;
    std::size_t rows_of_tile_;
};

}  // namespace tenrex::program
