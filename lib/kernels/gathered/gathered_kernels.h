// The kernels over rows that lie anywhere as data: which exist for an operation and cell types, and which to take.
//
//   const GatheredKernel *kernel = choose_gathered(RowPairOperation::dot, CellType::f32, CellType::f32, 1, 384,
//   allowed_isa()); kernel->function({query, vectors, 1536, numbers, 32, 384, out});
#pragma once

#include <cstddef>
#include <span>

#include <tenrex/cell_type.h>
#include <tenrex/export.h>

#include "lib/kernels/gathered/gathered.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"

namespace tenrex::kernels {

struct GatheredKernel : Kernel<GatheredFunction> {
    RowPairOperation operation;
    CellType a;          // of the row
    CellType b;          // of the gathered rows
    std::size_t planes;  // how many rows the row is: see kernels.def
};

std::span<const GatheredKernel> gathered_kernels() noexcept;

// The cheapest kernel for rows of `length` cells; null if none exists for these cell types.
const GatheredKernel *choose_gathered(RowPairOperation operation, CellType a, CellType b, std::size_t planes,
                                      std::size_t length, Isa isa) noexcept;
// With what allowed_isa() says.
TENREX_EXPORT const GatheredKernel *choose_gathered(RowPairOperation operation, CellType a, CellType b,
                                                    std::size_t planes, std::size_t length) noexcept;

}  // namespace tenrex::kernels
