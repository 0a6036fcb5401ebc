#include "lib/kernels/simd/baseline-inl.h"
#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::baseline {
namespace {

#if defined(__aarch64__)
// Of 32 registers two hold columns, or four the parted pairs of them, and one or two cells.
using FloatTiles = Shape<Floats, 14, 14>;
using DoubleTiles = Shape<Doubles, 14, 14>;
using ByteTiles = WordShape<PairProducts<Pairs>, words_in_byte_chunk, 13, 13>;
#else
// Of 16 registers two hold columns, and two a cell and a product.
using FloatTiles = Shape<Floats, 8, 5>;
using DoubleTiles = Shape<Doubles, 8, 5>;
using ByteTiles = WordShape<PairProducts<Pairs>, words_in_byte_chunk, 8, 5>;
#endif

}  // namespace

#include "lib/kernels/matmul/matmul.inc"

}  // namespace tenrex::kernels::baseline
