#include "lib/kernels/pairwise/pairwise-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {

TENREX_PAIRWISE(f64, f64, Doubles)
TENREX_PAIRWISE(f32, f32, Floats)
TENREX_SYMMETRIC_PAIRWISE(f32, bf16, Floats)
TENREX_SYMMETRIC_PAIRWISE(f32, i8, Floats)

}  // namespace tenrex::kernels::baseline
