// Other libraries behind the signature of our kernels, as yardsticks: what do they need for the same rows?
#pragma once

#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/row_pairs/row_pairs.h"

namespace tenrex::kernels {

// The dot products of rows of float or double cells.
RowPairFunction eigen_dot_f32;
RowPairFunction eigen_dot_f64;
RowPairFunction openblas_dot_f32;
RowPairFunction openblas_dot_f64;
// The same as one product of a matrix and a vector; operand a must be shared and the rows of b contiguous.
RowPairFunction openblas_gemv_f32;
RowPairFunction openblas_gemv_f64;

// Products of matrices, without bias; instead of packed cells, the rows of b one after the other. So are those of a.
MatmulFunction eigen_matmul_f32;
MatmulFunction eigen_matmul_f64;
MatmulFunction openblas_matmul_f32;
MatmulFunction openblas_matmul_f64;

}  // namespace tenrex::kernels
