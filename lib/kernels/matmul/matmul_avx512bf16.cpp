#include "lib/kernels/simd/avx512-inl.h"
#include "lib/kernels/simd/avx512_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/matmul/bf16-inl.h"
#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/matmul/pairs-inl.h"

namespace tenrex::kernels::avx512bf16 {

void matmul_bf16(const Matmul &call) noexcept {
    matmul_halves<PairTiles>(call);
}
void matmul_reduce_bf16(const MatmulReduce &call) noexcept {
    matmul_reduce_halves<PairTiles>(call);
}
void pack_bf16(const Pack &call) noexcept {
    pack_halves<PairTiles>(call);
}

}  // namespace tenrex::kernels::avx512bf16
