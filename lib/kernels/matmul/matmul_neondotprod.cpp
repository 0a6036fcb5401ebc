#include <arm_neon.h>

#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::neondotprod {
namespace {

// Both operands are signed, and nothing saturates.
struct Products : Pairs {
    using Row = i8;
    using Part = std::int8_t;
    using PartOfB = std::int8_t;
    using Out = f32;
    static constexpr std::int32_t raise = 0;
    static Vector multiply_add(int16x4_t x, Vector y, Vector z) {
        return vdotq_lane_s32(z, vreinterpretq_s8_s32(y), vreinterpret_s8_s16(x), 0);
    }
};
using FourByteTiles = WordShape<Products, words_in_byte_chunk, 14, 14>;

}  // namespace

void matmul_i8(const Matmul &call) noexcept {
    matmul_bytes<FourByteTiles>(call);
}
void matmul_reduce_i8(const MatmulReduce &call) noexcept {
    matmul_reduce_bytes<FourByteTiles>(call);
}
void pack_i8(const Pack &call) noexcept {
    pack_bytes<FourByteTiles>(call);
}

}  // namespace tenrex::kernels::neondotprod
