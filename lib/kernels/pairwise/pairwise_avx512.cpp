#include "lib/kernels/pairwise/pairwise-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512 {
#include "lib/kernels/pairwise/pairwise.inc"
}  // namespace tenrex::kernels::avx512
