// What avx512 does in halves of vectors, with the same order of additions: the same bits.
#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512wide {
using LanesOfFloatSums = Doubles;
#include "lib/kernels/reduce/sums_of_floats.inc"
}  // namespace tenrex::kernels::avx512wide
