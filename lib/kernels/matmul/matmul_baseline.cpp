#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
namespace {

struct Products : Pairs {
    using Row = i8;
    using Part = std::int16_t;
    using PartOfB = std::int16_t;
    using Out = f32;
    static constexpr std::int32_t raise = 0;
};

#if defined(__aarch64__)
// Of 32 registers two hold columns, or four the parted pairs of them, and one or two cells.
using FloatTiles = Shape<Floats, 14, 14>;
using DoubleTiles = Shape<Doubles, 14, 14>;
using PairTiles = WordShape<Products, words_in_byte_chunk, 13, 13>;
#else
// Of 16 registers two hold columns, and two a cell and a product.
using FloatTiles = Shape<Floats, 8, 5>;
using DoubleTiles = Shape<Doubles, 8, 5>;
using PairTiles = WordShape<Products, words_in_byte_chunk, 8, 5>;
#endif

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
void matmul_i8(const Matmul &call) noexcept {
    matmul_bytes<PairTiles>(call);
}
void matmul_reduce_i8(const MatmulReduce &call) noexcept {
    matmul_reduce_bytes<PairTiles>(call);
}
void pack_i8(const Pack &call) noexcept {
    pack_bytes<PairTiles>(call);
}
void pack_f32(const Pack &call) noexcept {
    pack<FloatTiles>(call);
}
void pack_f64(const Pack &call) noexcept {
    pack<DoubleTiles>(call);
}

}  // namespace tenrex::kernels::baseline
