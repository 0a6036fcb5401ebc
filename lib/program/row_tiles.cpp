#include "lib/program/row_tiles.h"

#include <algorithm>

#include "lib/program/cache_line.h"

namespace tenrex::program {

std::optional<RowTiles> RowTiles::make(const kernels::ElementwiseKernel &kernel, std::size_t row_cells) {
    const auto targets = kernels::tile_targets();
    const auto own = std::find_if(targets.begin(), targets.end(),
                                  [&](const kernels::TileTarget &target) { return target.target == kernel.target; });
    if (own == targets.end() || row_cells % kernels::tile_cells != 0) {
        return std::nullopt;
    }
    return RowTiles(*own, kernel, row_cells);
}

RowTiles::RowTiles(const kernels::TileTarget &target, const kernels::ElementwiseKernel &kernel, std::size_t row_cells)
    : kernels_(&target.of(kernel.type)),
      operation_{target.operation(kernel.operation, kernel.type), value_of_result, {0, 1, 2}},
      row_cells_(row_cells),
      cell_bytes_(byte_size(kernel.type)) {
    constexpr std::size_t most_rows = 64;
    constexpr std::size_t most_cells = 2048;
    rows_of_tile_ = std::clamp<std::size_t>(most_cells / row_cells, 1, most_rows);
}

void RowTiles::run(std::span<const Operand> operands, std::byte *out, std::size_t rows) const noexcept {
    const std::size_t row_bytes = row_cells_ * cell_bytes_;
    for (std::size_t first = 0; first < rows; first += rows_of_tile_) {
        const std::size_t now = std::min(rows_of_tile_, rows - first);
        kernels::TileValue values[value_of_result + 1] = {};
        CacheLine vectors[value_of_result];
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const auto &[cells, is_cell] = operands[i];
            const std::size_t bytes = is_cell ? cell_bytes_ : row_bytes;
            const std::byte *const own = cells + first * bytes;
            values[i] = {const_cast<std::byte *>(own), is_cell ? 0 : ~std::uintptr_t{0},
                         static_cast<std::ptrdiff_t>(bytes)};
            if (is_cell && now == 1) {
                values[i].cells = vectors[i].bytes;
                kernels_->broadcast(&values[i], &own, 1);
            }
        }
        values[value_of_result] = {out + first * row_bytes, ~std::uintptr_t{0}, static_cast<std::ptrdiff_t>(row_bytes)};
        operation_.function.tile(operation_, values, {row_cells_, now});
    }
}

}  // namespace tenrex::program
