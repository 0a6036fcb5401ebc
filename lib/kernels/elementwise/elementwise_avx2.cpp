#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loop and the operations are templates over them.
#include "lib/kernels/elementwise/elementwise-inl.h"
#include "lib/kernels/elementwise/operations-inl.h"

namespace tenrex::kernels::avx2 {
#include "lib/kernels/elementwise/elementwise.inc"
}  // namespace tenrex::kernels::avx2
