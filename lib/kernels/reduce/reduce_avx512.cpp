#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512 {
#include "lib/kernels/reduce/reduce.inc"
}  // namespace tenrex::kernels::avx512
