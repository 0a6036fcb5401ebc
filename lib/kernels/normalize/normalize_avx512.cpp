#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/normalize/normalize-inl.h"

namespace tenrex::kernels::avx512 {
#include "lib/kernels/normalize/normalize.inc"
}  // namespace tenrex::kernels::avx512
