#include "lib/kernels/simd/avx2_lanes-inl.h"
#include "lib/kernels/simd/fused128_lanes-inl.h"
// The vectors and operations first: the loops are templates over them.
#include "lib/kernels/elementwise/operations-inl.h"
#include "lib/kernels/tile/tile-inl.h"

namespace tenrex::kernels::avx2 {
#include "lib/kernels/tile/tile.inc"
}  // namespace tenrex::kernels::avx2
