#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

struct CellsAndZeros {
    __m512 cells;
    __m512 zeros;
};

template <bool big>
struct BitProducts : Floats {
    using Native = void;
    static constexpr bool has_aside = false;

    static CellsAndZeros load(const f32 *cells) { return with_zeros(Floats::load(cells)); }
    static CellsAndZeros load(const f32 *cells, std::size_t count) { return with_zeros(Floats::load(cells, count)); }
    static __mmask16 load(const EightBits<big> *bits) {
        return static_cast<__mmask16>(bits[0].byte | bits[1].byte << 8);
    }
    static __mmask16 load(const EightBits<big> *bits, std::size_t) { return bits[0].byte; }

    static Vector step(Vector sums, CellsAndZeros a, __mmask16 bits) {
        return add(sums, _mm512_mask_blend_ps(bits, a.zeros, a.cells));
    }
    static Vector step(Vector sums, __mmask16 bits, CellsAndZeros b) { return step(sums, b, bits); }

private:
    // Instead of the bits in a byte, the cells that they stand for are reversed.
    static CellsAndZeros with_zeros(Vector cells) {
        if constexpr (big) {
            const __m512i reversed = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
            cells = _mm512_permutexvar_ps(reversed, cells);
        }
        return {cells, _mm512_mul_ps(cells, zero())};
    }
};

}  // namespace

#include "lib/kernels/dot/dot.inc"

}  // namespace tenrex::kernels::avx512
