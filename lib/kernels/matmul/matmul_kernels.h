// The kernels for products of matrices as data: which exist for a cell type, and which to take.
//
//   const MatmulKernel *kernel = choose_matmul(CellType::f32, k, n, allowed_isa());
//   std::vector<float> packed(packed_cells(*kernel, k, n));
//   kernel->pack({weights, n, 1, k, n, packed.data()});
//   kernel->function({rows, k, 1, packed.data(), m, n, k, bias, out, n});
//   kernel->reduce({MatmulReduction::max, rows, k, 1, packed.data(), m, n, k, maxima});
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

struct MatmulKernel : Kernel<MatmulFunction> {
    CellType type;            // of a and b; not all types have kernels for every CPU
    std::size_t column_tile;  // packed columns are padded to a multiple of this
    std::size_t k_tile;       // so many cells of consecutive k are packed side by side
    std::size_t panel;        // columns of a panel, of which blocks of zeros are left out; 0: it multiplies them, too
    PackFunction *pack;
    MatmulReduceFunction *reduce;  // cells of the product are those of `function`, bit for bit

    // The cell type of bias and result. Products of int8 cells are summed exactly and rounded once.
    constexpr CellType out() const noexcept { return type == CellType::f64 ? CellType::f64 : CellType::f32; }
};

std::span<const MatmulKernel> matmul_kernels() noexcept;

// How many cells of the kernel's type pack() writes for k rows of n columns.
constexpr std::size_t packed_cells(const MatmulKernel &kernel, std::size_t k, std::size_t n) noexcept {
    const std::size_t columns = (n + kernel.column_tile - 1) / kernel.column_tile * kernel.column_tile;
    const std::size_t depth = (k + kernel.k_tile - 1) / kernel.k_tile * kernel.k_tile;
    constexpr std::size_t word = 4;
    const std::size_t size = byte_size(kernel.type);
    if (size >= word) {
        return columns * depth;
    }
    // In words of 32 bits, and one more for each column; a pair of int8 cells takes a word, too.
    return columns * (depth * std::max(size, word / kernel.k_tile) + word) / size;
}

// How many int8 rows the kernel rewrites at a time, to multiply their cells in pairs of 16 bits: b is read once for all
// of them. 0: it reads rows where they are.
constexpr std::size_t rows_rewritten_by(const MatmulKernel &kernel) noexcept {
    return kernel.type == CellType::i8 && kernel.k_tile == 2 ? rows_rewritten : 0;
}

// Columns from a multiple of so many on can be multiplied alone: packed, they begin after packed_cells() of the columns
// before them. The panels of all kernels have a part of so many vectors.
constexpr std::size_t columns_apart(const MatmulKernel &kernel) noexcept {
    constexpr std::size_t vectors = 4;
    return vectors * kernel.column_tile;
}

// The cells that may be multiplied: those of type `widened`, to which all can be converted without loss, and if both
// operands have `stored` cells also those, if there are kernels for them.
struct MatmulCells {
    constexpr MatmulCells(CellType type) noexcept : widened(type), stored(type) {}
    constexpr MatmulCells(CellType widened_type, CellType stored_type) noexcept
        : widened(widened_type), stored(stored_type) {}

    CellType widened;
    CellType stored;
};

// An estimate for one row of the product with b of k rows and n columns, in nanoseconds: with the conversion of stored
// cells of a, and with what is computed only to fill the kernel's tiles.
double matmul_cost(const MatmulKernel &kernel, MatmulCells cells, std::size_t k, std::size_t n, Isa isa) noexcept;

// The cheapest kernel for b of k rows and n columns; null if there is none for such cells.
const MatmulKernel *choose_matmul(MatmulCells cells, std::size_t k, std::size_t n, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<MatmulKernel>> matmul_candidates(MatmulCells cells, std::size_t k, std::size_t n, Isa isa);

}  // namespace tenrex::kernels
