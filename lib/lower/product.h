// Products of matrices.
#pragma once

#include "lib/ir/contraction.h"
#include "lib/lower/context.h"
#include "lib/program/library/matmul_steps.h"

namespace tenrex::lower {

Value contract_product(Context &context, const ir::Node &node);
// Whether a product of a vector and a matrix adds up rows of a document's matrix that lie side by side: no dot product
// of cells that do not.
bool is_sum_of_rows(Context &context, const ir::Node &node);
// The rows are those of a. b has no addresses, or nothing but columns with addresses.
program::MatmulShape matmul_shape(Context &context, ir::NodeId a, ir::NodeId b, const ir::Contraction &contraction);

}  // namespace tenrex::lower
