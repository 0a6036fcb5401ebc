#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/attention/halves-inl.h"
#include "lib/kernels/matmul/pairs-inl.h"

namespace tenrex::kernels::avx512bf16 {

AttentionFunction attention_bf16;

void attention_bf16(const Attention &call) noexcept {
    attend_in_halves<PairTiles, 28>(call);
}

}  // namespace tenrex::kernels::avx512bf16
