#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
using LanesOfFloatSums = Doubles;
#include "lib/kernels/reduce/reduce.inc"
}  // namespace tenrex::kernels::baseline
