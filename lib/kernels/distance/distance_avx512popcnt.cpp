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

constexpr std::size_t rows_of_vector = 8;  // distances, as 64-bit integers

// Eight rows of one, two or four words that lie one after the other against a row in each part of `shared`.
template <std::size_t words>
__m512i differing_bits(__m512i shared, const char *rows) {
    const auto counts = [&](std::size_t i) {
        return _mm512_popcnt_epi64(_mm512_xor_si512(shared, _mm512_loadu_si512(rows + 64 * i)));
    };
    const auto sums_of_two = [](__m512i x, __m512i y) {
        return _mm512_add_epi64(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
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

// Those of a row and of as many whole vectors of rows as there are. Returns how many rows that are.
template <std::size_t words>
std::size_t hamming_of_vectors(const void *row, const void *rows, std::size_t count, double *out) {
    std::uint64_t numbers[8];
    for (std::size_t i = 0; i < 8; i += words) {
        __builtin_memcpy(numbers + i, row, words * sizeof(numbers[0]));
    }
    const __m512i shared = _mm512_loadu_si512(numbers);
    const char *at = static_cast<const char *>(rows);
    std::size_t done = 0;
    for (; count - done >= rows_of_vector; done += rows_of_vector) {
        _mm512_storeu_pd(out + done, _mm512_cvtepi64_pd(differing_bits<words>(shared, at)));
        at += rows_of_vector * words * sizeof(numbers[0]);
    }
    return done;
}

// How many rows from the first on are done: those of a shared row and of rows without gaps.
std::size_t hamming_of_vectors(const RowPairs &pairs) {
    const bool shares_a = pairs.a_stride == 0;
    const void *row = shares_a ? pairs.a : pairs.b;
    const void *rows = shares_a ? pairs.b : pairs.a;
    const std::ptrdiff_t stride = shares_a ? pairs.b_stride : pairs.a_stride;
    if ((!shares_a && pairs.b_stride != 0) || stride != static_cast<std::ptrdiff_t>(pairs.length)) {
        return 0;
    }
    double *const out = static_cast<double *>(pairs.out);
    switch (pairs.length) {
        case 8:
            return hamming_of_vectors<1>(row, rows, pairs.rows, out);
        case 16:
            return hamming_of_vectors<2>(row, rows, pairs.rows, out);
        case 32:
            return hamming_of_vectors<4>(row, rows, pairs.rows, out);
        default:
            return 0;
    }
}

}  // namespace

void hamming_i8_i8(const RowPairs &pairs) {
    RowPairs left = pairs;
    const std::size_t done = pairs.rows < rows_of_vector ? 0 : hamming_of_vectors(pairs);
    left.a = row<char>(pairs.a, pairs.a_stride, done);
    left.b = row<char>(pairs.b, pairs.b_stride, done);
    left.rows -= done;
    left.out = static_cast<double *>(pairs.out) + done;
    if (!hamming_of_short_rows(left)) {
        row_pairs<DifferingBits, i8, i8, double>(left);
    }
}
void gathered_hamming_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8>(rows);
}
void gathered_hamming_planes_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8, 4>(rows);
}

}  // namespace tenrex::kernels::avx512popcnt
