#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors and operations first: the loops are templates over them.
#include "lib/kernels/elementwise/operations-inl.h"
#include "lib/kernels/tile/tile-inl.h"

namespace tenrex::kernels::baseline {

extern const TileKernels tile_table;
constexpr TileKernels tile_table = tile_kernels_of<FloatLanes, DoubleLanes, FloatLanes, DoubleLanes>();

}  // namespace tenrex::kernels::baseline
