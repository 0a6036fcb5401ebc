// Contractions over labels.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

// To one number for each document: the dot product of the blocks with equal labels.
Value contract_sparse(Context &context, const ir::Node &node);
// To dense cells: a sum of blocks with weights.
Value contract_weights(Context &context, const ir::Node &node);

}  // namespace tenrex::lower
