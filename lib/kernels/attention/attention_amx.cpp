#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/attention/halves-inl.h"
#include "lib/kernels/matmul/amx-inl.h"

namespace tenrex::kernels::amx {

AttentionFunction attention_bf16;

void attention_bf16(const Attention &call) noexcept {
    if (call.query_count > 0) {
        const TileRegisters registers(call.query_count);
        attend_in_halves<HalfTiles, 32>(call);
    }
}

}  // namespace tenrex::kernels::amx
