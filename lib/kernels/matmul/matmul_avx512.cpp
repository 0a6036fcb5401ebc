#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

// As many rows as leave one of 32 registers free.
using FloatTiles = Shape<Floats, 14, 14>;
using DoubleTiles = Shape<Doubles, 14, 14>;

}  // namespace

void matmul_f32(const Matmul &call) noexcept {
    matmul<FloatTiles>(call);
}
void matmul_f64(const Matmul &call) noexcept {
    matmul<DoubleTiles>(call);
}
void matmul_reduce_f32(const MatmulReduce &call) noexcept {
    matmul_reduce<FloatTiles>(call);
}
void matmul_reduce_f64(const MatmulReduce &call) noexcept {
    matmul_reduce<DoubleTiles>(call);
}
void pack_f32(const Pack &call) noexcept {
    pack<FloatTiles>(call);
}
void pack_f64(const Pack &call) noexcept {
    pack<DoubleTiles>(call);
}

}  // namespace tenrex::kernels::avx512
