#include <arm_neon.h>

#include "lib/kernels/simd/baseline-inl.h"
#include "lib/kernels/simd/baseline_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::neondotprod {
namespace {

struct Products : Pairs {
    static Vector multiply_add(int16x4_t x, Vector y, Vector z) {
        return vdotq_lane_s32(z, vreinterpretq_s8_s32(y), vreinterpret_s8_s16(x), 0);
    }
};
using ByteTiles = WordShape<SignedFours<Products>, words_in_byte_chunk, 14, 14>;

}  // namespace

#include "lib/kernels/matmul/bytes.inc"

}  // namespace tenrex::kernels::neondotprod
