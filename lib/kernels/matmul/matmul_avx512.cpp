#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

// As many rows as leave one of 32 registers free.
using FloatTiles = Shape<Floats, 14, 14>;
using DoubleTiles = Shape<Doubles, 14, 14>;
using ByteTiles = WordShape<PairProducts<Pairs>, words_in_byte_chunk, 14, 14>;

}  // namespace

#include "lib/kernels/matmul/matmul.inc"

}  // namespace tenrex::kernels::avx512
