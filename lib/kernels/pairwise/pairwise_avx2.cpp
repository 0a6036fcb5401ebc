#include "lib/kernels/pairwise/pairwise-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
#include "lib/kernels/pairwise/pairwise.inc"
}  // namespace tenrex::kernels::avx2
