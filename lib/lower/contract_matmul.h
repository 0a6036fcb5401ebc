// Products of matrices.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/ir/contraction.h"
#include "lib/lower/context.h"
#include "lib/program/library/matmul_steps.h"

namespace tenrex::lower {

// The columns of a product before they are packed for its kernel.
struct Columns {
    program::MatrixShape shape;
    IndexSlot index;  // whose blocks they are, if there is one
    CellsSlot cells;  // of the kernel's type
};
// dimensions: of a contraction whose second operand is b.
Columns columns_of(Context &context, ir::NodeId b, const ir::ContractionDimensions::Group &dimensions,
                   const kernels::MatmulKernel &kernel);
// The kernel for columns of b, chosen by how many are expected: how many blocks there are is known only when they come.
const kernels::MatmulKernel *choose_kernel(const Context &context, ir::NodeId b,
                                           const ir::ContractionDimensions::Group &dimensions,
                                           kernels::MatmulCells cells);

Value contract_product(Context &context, const ir::Node &node);
// Whether a product of a vector and a matrix adds up rows of a document's matrix that lie side by side: no dot product
// of cells that do not.
bool is_sum_of_rows(Context &context, const ir::Node &node);
// The rows are those of a. b has no addresses, or nothing but columns with addresses.
program::MatmulShape matmul_shape(Context &context, ir::NodeId a, ir::NodeId b, bool is_packed,
                                  const ir::Contraction &contraction);

}  // namespace tenrex::lower
