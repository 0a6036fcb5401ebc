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

void squared_distance_f64_f64(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Doubles>, f64, f64>(pairs);
}
void squared_distance_f64_f32(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Doubles>, f64, f32>(pairs);
}
void squared_distance_f64_bf16(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Doubles>, f64, bf16>(pairs);
}
void squared_distance_f64_i8(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Doubles>, f64, i8>(pairs);
}
void squared_distance_f32_f32(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Floats>, f32, f32>(pairs);
}
void squared_distance_f32_bf16(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Floats>, f32, bf16>(pairs);
}
void squared_distance_f32_i8(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Floats>, f32, i8>(pairs);
}
void squared_distance_bf16_bf16(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Floats>, bf16, bf16>(pairs);
}
void squared_distance_bf16_i8(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Floats>, bf16, i8>(pairs);
}
void squared_distance_i8_i8(const RowPairs &pairs) {
    row_pairs<SquaredDifference<Shorts>, i8, i8, double>(pairs);
}
void absolute_distance_f64_f64(const RowPairs &pairs) {
    row_pairs<AbsoluteDifference<Doubles>, f64, f64>(pairs);
}
void absolute_distance_f32_f32(const RowPairs &pairs) {
    row_pairs<AbsoluteDifference<Floats>, f32, f32>(pairs);
}
void hamming_i8_i8(const RowPairs &pairs) {
    if (!hamming_of_short_rows(pairs)) {
        row_pairs<DifferingBits, i8, i8, double>(pairs);
    }
}

}  // namespace tenrex::kernels::avx2
