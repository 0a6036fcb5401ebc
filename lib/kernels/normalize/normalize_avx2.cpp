#include "lib/kernels/simd/avx2-inl.h"
#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/normalize/normalize-inl.h"

namespace tenrex::kernels::avx2 {
#include "lib/kernels/normalize/normalize.inc"
}  // namespace tenrex::kernels::avx2
