#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
using LanesOfFloatSums = Doubles;
#include "lib/kernels/reduce/reduce.inc"
}  // namespace tenrex::kernels::avx2
