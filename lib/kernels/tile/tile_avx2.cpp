#include "lib/kernels/simd/avx2_lanes-inl.h"
#include "lib/kernels/simd/fused128_lanes-inl.h"
// The vectors and operations first: the loops are templates over them.
#include "lib/kernels/elementwise/operations-inl.h"
#include "lib/kernels/tile/tile-inl.h"

namespace tenrex::kernels::avx2 {

extern const TileKernels tile_table;
constexpr TileKernels tile_table = tile_kernels_of<FloatLanes, DoubleLanes, NarrowFloatLanes, NarrowDoubleLanes>();

}  // namespace tenrex::kernels::avx2
