#include "lib/kernels/simd/baseline-inl.h"
#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/normalize/normalize-inl.h"

namespace tenrex::kernels::baseline {
#include "lib/kernels/normalize/normalize.inc"
}  // namespace tenrex::kernels::baseline
