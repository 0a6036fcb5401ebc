#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::avx512vnni {
namespace {

struct Products : Pairs {
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_dpbusd_epi32(z, y, x); }
};
using ByteTiles = WordShape<UnsignedFours<Products>, words_in_byte_chunk, 14, 14>;

}  // namespace

#include "lib/kernels/matmul/bytes.inc"

}  // namespace tenrex::kernels::avx512vnni
