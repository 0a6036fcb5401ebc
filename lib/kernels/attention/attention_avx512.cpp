#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/attention/attention-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

// As in products of matrices.
using FloatTiles = Shape<Floats, 14, 14>;

}  // namespace

#include "lib/kernels/attention/attention.inc"

}  // namespace tenrex::kernels::avx512
