#include "lib/kernels/pairwise/pairwise-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
#include "lib/kernels/pairwise/pairwise.inc"
}  // namespace tenrex::kernels::baseline
