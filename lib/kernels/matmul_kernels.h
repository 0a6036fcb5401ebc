// The kernels for products of matrices as data: which exist for a cell type, and which to take.
//
//   const MatmulKernel *kernel = choose_matmul(CellType::f32, k, n, allowed_isa());
//   std::vector<float> packed(packed_cells(*kernel, k, n));
//   kernel->pack({weights, n, 1, k, n, packed.data()});
//   kernel->function({rows, k, 1, packed.data(), m, n, k, bias, out, n});
//   kernel->reduce({MatmulReduction::max, rows, k, 1, packed.data(), m, n, k, maxima});
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/matmul.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

struct MatmulKernel : Kernel<MatmulFunction> {
    CellType type;            // of all operands and of the result; f32 or f64
    std::size_t column_tile;  // packed columns are padded to a multiple of this
    PackFunction *pack;
    MatmulReduceFunction *reduce;  // cells of the product are those of `function`, bit for bit
};

std::span<const MatmulKernel> matmul_kernels() noexcept;

// How many cells pack() writes for k rows of n columns.
constexpr std::size_t packed_cells(const MatmulKernel &kernel, std::size_t k, std::size_t n) noexcept {
    return (n + kernel.column_tile - 1) / kernel.column_tile * kernel.column_tile * k;
}

// The cheapest kernel for b of k rows and n columns; null for other types than f32 and f64.
const MatmulKernel *choose_matmul(CellType type, std::size_t k, std::size_t n, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<MatmulKernel>> matmul_candidates(CellType type, std::size_t k, std::size_t n, Isa isa);

}  // namespace tenrex::kernels
