#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/distance/short_hamming-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512popcnt {
namespace {

struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        return add(sums, _mm512_popcnt_epi32(_mm512_xor_si512(a, b)));
    }
};

struct EightRows {
    using Vector = __m512i;
    static constexpr std::size_t rows_at_once = 8;

    static __m512i sums_of_two(__m512i x, __m512i y) {
        return _mm512_add_epi64(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
    }
    // Of rows of one, two or four words, as 64-bit integers.
    template <std::size_t words>
    static __m512i differing_bits(__m512i shared, const char *rows) {
        const auto counts = [&](std::size_t i) {
            return _mm512_popcnt_epi64(_mm512_xor_si512(shared, _mm512_loadu_si512(rows + 64 * i)));
        };
        if constexpr (words == 1) {
            return counts(0);
        } else if constexpr (words == 2) {
            const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            return _mm512_permutexvar_epi64(order, sums_of_two(counts(0), counts(1)));
        } else {
            const __m512i order = _mm512_setr_epi64(0, 2, 1, 3, 4, 6, 5, 7);
            const __m512i low = sums_of_two(counts(0), counts(1));
            const __m512i high = sums_of_two(counts(2), counts(3));
            return _mm512_permutexvar_epi64(
                order, _mm512_add_epi64(_mm512_shuffle_i64x2(low, high, 0x88), _mm512_shuffle_i64x2(low, high, 0xDD)));
        }
    }
    template <std::size_t words>
    static void count(__m512i shared, const char *rows, double *out) {
        _mm512_storeu_pd(out, _mm512_cvtepi64_pd(differing_bits<words>(shared, rows)));
    }
};

}  // namespace

void hamming_i8_i8(const RowPairs &pairs) {
    if (!hamming_of_short_rows_in_vectors<EightRows>(pairs)) {
        row_pairs<DifferingBits, i8, i8, double>(pairs);
    }
}
void gathered_hamming_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8>(rows);
}
void gathered_hamming_planes_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8, 4>(rows);
}

}  // namespace tenrex::kernels::avx512popcnt
