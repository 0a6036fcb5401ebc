#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/distance/short_hamming-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

// Counts bits by looking up both halves of every byte; sums of eight bytes land in 64-bit lanes.
struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        const __m512i counts = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m512i nibble = _mm512_set1_epi8(15);
        const __m512i bits = _mm512_xor_si512(a, b);
        const __m512i low = _mm512_shuffle_epi8(counts, _mm512_and_si512(bits, nibble));
        const __m512i high = _mm512_shuffle_epi8(counts, _mm512_and_si512(_mm512_srli_epi16(bits, 4), nibble));
        return add(sums, _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512()));
    }
};

}  // namespace

#include "lib/kernels/distance/distance.inc"

void hamming_i8_i8(const RowPairs &pairs) {
    if (!hamming_of_short_rows(pairs)) {
        row_pairs<DifferingBits, i8, i8, double>(pairs);
    }
}
void gathered_hamming_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8>(rows);
}

}  // namespace tenrex::kernels::avx512
