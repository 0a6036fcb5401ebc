#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/amx-inl.h"
#include "lib/kernels/matmul/bf16-inl.h"
#include "lib/kernels/matmul/int8-inl.h"
#include "lib/kernels/matmul/matmul-inl.h"

namespace tenrex::kernels::amx {
namespace {

using ByteTiles = AmxTiles<Pairs, i8, std::int8_t>;

}  // namespace

void matmul_i8(const Matmul &call) noexcept {
    if (call.m > 0) {
        const TileRegisters registers(call.m);
        matmul_bytes<ByteTiles>(call);
    }
}
void matmul_reduce_i8(const MatmulReduce &call) noexcept {
    const TileRegisters registers(call.m);
    matmul_reduce_bytes<ByteTiles>(call);
}
void pack_i8(const Pack &call) noexcept {
    pack_bytes<ByteTiles>(call);
}
void matmul_bf16(const Matmul &call) noexcept {
    if (call.m > 0) {
        const TileRegisters registers(call.m);
        matmul_halves<HalfTiles>(call);
    }
}
void matmul_reduce_bf16(const MatmulReduce &call) noexcept {
    const TileRegisters registers(call.m);
    matmul_reduce_halves<HalfTiles>(call);
}
void pack_bf16(const Pack &call) noexcept {
    pack_halves<HalfTiles>(call);
}

}  // namespace tenrex::kernels::amx
