// What the sources of this family include: the loop over rows and the prototypes of the kernels.
#pragma once

#include "lib/kernels/gathered/gathered-inl.h"
#include "lib/kernels/row_pairs/row_pairs-inl.h"

#define TENREX_KERNEL(operation, a, b, out, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                          \
    RowPairFunction function;                                                    \
    }
#include "lib/kernels/distance/kernels.def"
#undef TENREX_KERNEL
