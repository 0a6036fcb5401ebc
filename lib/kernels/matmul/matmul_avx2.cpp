#include "lib/kernels/simd/avx2-inl.h"
#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

// As many rows as leave one of 16 registers free.
using FloatTiles = Shape<Floats, 8, 6>;
using DoubleTiles = Shape<Doubles, 8, 6>;
using ByteTiles = WordShape<PairProducts<Pairs>, words_in_byte_chunk, 8, 6>;

}  // namespace

#include "lib/kernels/matmul/matmul.inc"

}  // namespace tenrex::kernels::avx2
