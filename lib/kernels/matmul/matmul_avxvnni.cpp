#include "lib/kernels/simd/avx2-inl.h"
#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::avxvnni {
namespace {

struct Products : Pairs {
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_dpbusd_avx_epi32(z, y, x); }
};
using ByteTiles = WordShape<UnsignedFours<Products>, words_in_byte_chunk, 8, 6>;

}  // namespace

#include "lib/kernels/matmul/bytes.inc"

}  // namespace tenrex::kernels::avxvnni
