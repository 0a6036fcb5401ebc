#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {

TENREX_REDUCE(f64, Doubles)
TENREX_REDUCE(f32, Floats)
TENREX_REDUCE(bf16, Floats)
TENREX_REDUCE(i8, Floats)

}  // namespace tenrex::kernels::baseline
