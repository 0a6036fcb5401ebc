#include "lib/kernels/simd/baseline-inl.h"
#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/attention/attention-inl.h"

namespace tenrex::kernels::baseline {
namespace {

// As in products of matrices.
#if defined(__aarch64__)
using FloatTiles = Shape<Floats, 14, 14>;
#else
using FloatTiles = Shape<Floats, 8, 5>;
#endif

}  // namespace

#include "lib/kernels/attention/attention.inc"

}  // namespace tenrex::kernels::baseline
