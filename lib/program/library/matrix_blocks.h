// Packed matrices with maps of their blocks of zeros (kernels/matmul/zero_blocks.h) behind them: both are made once,
// shared by plans and stored in files together.
#pragma once

#include <cstddef>

#include "lib/kernels/matmul/zero_blocks.h"
#include "lib/program/matrix_shape.h"

namespace tenrex::program {

// Of all packed matrices without their maps.
std::size_t bytes_of_packed(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t n);
// With them.
std::size_t bytes_with_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape);

// Writes the maps of packed matrices behind them.
void map_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::byte *packed);
// Those maps; null if there is nothing to leave out.
const std::byte *maps_of(const kernels::MatmulKernel &kernel, const MatrixShape &shape, const std::byte *packed);

// Of one of the matrices.
kernels::MatmulBlocks blocks_of_matrix(const kernels::MatmulKernel &kernel, const MatrixShape &shape,
                                       const std::byte *maps, std::size_t matrix);
// The share of the multiplications with all matrices that is left out for many rows.
double share_of_zeros(const kernels::MatmulKernel &kernel, const MatrixShape &shape, const std::byte *maps);

}  // namespace tenrex::program
