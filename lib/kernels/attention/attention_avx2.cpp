#include "lib/kernels/simd/avx2-inl.h"
#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/attention/attention-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

// As in products of matrices.
using FloatTiles = Shape<Floats, 8, 6>;

}  // namespace

#include "lib/kernels/attention/attention.inc"

}  // namespace tenrex::kernels::avx2
