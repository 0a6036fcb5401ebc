// The kernels that work on tiles. All that compute a formula come from one instruction set: their vectors have one
// size.
//
//   const TileTarget &tiles = choose_tiles(allowed_isa());
//   operation.function = tiles.operation(ElementwiseOperation::exp, CellType::f32);
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string>

#include <tenrex/cell_type.h>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/isa.h"
#include "lib/kernels/registry.h"
#include "lib/kernels/tile/tile.h"

namespace tenrex::kernels {

struct TileTarget {
    Target target;
    std::size_t vector_bytes;
    const TileKernels *kernels;

    // f32 or f64.
    const TypedTileKernels &of(CellType type) const noexcept {
        return type == CellType::f32 ? kernels->floats : kernels->doubles;
    }
    TileFunctions operation(ElementwiseOperation operation, CellType type) const noexcept {
        return of(type).operations[static_cast<std::size_t>(operation)];
    }
    // Of cells of 1, 2, 4 or 8 bytes.
    TransposeFunction *transpose(std::size_t cell_bytes) const noexcept {
        return kernels->transpose[std::min(std::countr_zero(cell_bytes), 3)];
    }
};

std::span<const TileTarget> tile_targets() noexcept;

// Computes operations on single cells. The last one is an end, and one of any operations_between_pauses + 1 a pause.
inline void compute_single_cells(const TileOperation *first, std::byte *values) noexcept {
    do {
        first = first->function.single_cell(*first, values);
    } while (first != nullptr);
}

// That with the widest vectors among those that are allowed.
const TileTarget &choose_tiles(Isa isa) noexcept;

// Why each was taken or not, the chosen one first; one a line.
std::string explain_tiles(Isa isa);

}  // namespace tenrex::kernels
