// Blocks of a packed matrix that are all zeros, as pruned weights have them. A map of them stands beside the packed
// cells, made when these are packed, and kernels leave the blocks out (MatmulBlocks).
#pragma once

#include <cstddef>

#include "lib/kernels/matmul/matmul_kernels.h"

namespace tenrex::kernels {

// How many bytes the map of a matrix takes, which begins at a multiple of 8; 0 if the kernel multiplies all blocks.
std::size_t block_map_bytes(const MatmulKernel &kernel, std::size_t k, std::size_t n) noexcept;

// Writes the map. Floats of both signs are zeros. Of cells that are none it looks at one line in each block, as long as
// they are not worth a map.
void map_blocks(const MatmulKernel &kernel, const void *packed, std::size_t k, std::size_t n, void *map) noexcept;

// The share of the multiplications that is left out of products of many rows; 0 if it is too small to gain anything.
double share_of_zeros(const void *map) noexcept;

// What a kernel is told of a map; nothing if that share is 0.
MatmulBlocks blocks_of(const MatmulKernel &kernel, const void *map, std::size_t k, std::size_t n) noexcept;

// The same for the columns from one on, with which a panel begins.
MatmulBlocks after_columns(const MatmulKernel &kernel, MatmulBlocks blocks, std::size_t k,
                           std::size_t columns) noexcept;

}  // namespace tenrex::kernels
