#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/distance/short_hamming-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

// Counts bits by looking up both halves of every byte; sums of eight bytes land in 64-bit lanes.
struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        const __m256i counts =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m256i nibble = _mm256_set1_epi8(15);
        const __m256i bits = _mm256_xor_si256(a, b);
        const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(bits, nibble));
        const __m256i high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble));
        return add(sums, _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256()));
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
void gathered_hamming_planes_i8_i8(const GatheredRows &rows) {
    gathered_planes<4>(rows);
}

}  // namespace tenrex::kernels::avx2
