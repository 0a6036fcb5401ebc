#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512vnni {
namespace {

// The instruction takes unsigned and signed bytes, and does not saturate.
struct Products : Pairs {
    using Row = i8;
    using Part = std::uint8_t;
    using PartOfB = std::int8_t;
    using Out = f32;
    static constexpr std::int32_t raise = 128;
    static Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_dpbusd_epi32(z, x, y); }
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

}  // namespace tenrex::kernels::avx512vnni
