#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors and operations first: the loops are templates over them.
#include "lib/kernels/elementwise/operations-inl.h"
#include "lib/kernels/tile/tile-inl.h"

namespace tenrex::kernels::baseline {
namespace {

// These vectors are narrow already.
using NarrowFloatLanes = FloatLanes;
using NarrowDoubleLanes = DoubleLanes;

}  // namespace

#include "lib/kernels/tile/tile.inc"

}  // namespace tenrex::kernels::baseline
