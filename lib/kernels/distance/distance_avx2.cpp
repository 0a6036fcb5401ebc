#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/distance/short_hamming-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

// How many bits of each byte are set, times 2^bit: both halves are looked up.
template <std::size_t bit>
__m256i bits_of_bytes(__m256i bytes) {
    constexpr char one = 1 << bit;
    const __m256i counts =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, one, one, 2 * one, one, 2 * one, 2 * one, 3 * one, one, 2 * one,
                                                  2 * one, 3 * one, 2 * one, 3 * one, 3 * one, 4 * one));
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(bytes, nibble));
    const __m256i high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    return _mm256_add_epi8(low, high);
}

__m256i load(const char *cells) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(cells));
}

// Sums of eight bytes land in 64-bit lanes.
struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        const __m256i counts = bits_of_bytes<0>(_mm256_xor_si256(a, b));
        return add(sums, _mm256_sad_epu8(counts, _mm256_setzero_si256()));
    }
};

struct FourRows {
    using Vector = __m256i;
    static constexpr std::size_t rows_at_once = 4;

    static __m256i sums_of_two(__m256i x, __m256i y) {
        return _mm256_add_epi64(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
    }
    // Of rows of one, two or four words, as 64-bit integers.
    template <std::size_t words>
    static __m256i differing_bits(__m256i shared, const char *rows) {
        const auto counts = [&](std::size_t i) {
            return DifferingBits::step(_mm256_setzero_si256(), shared, load(rows + i * sizeof(__m256i)));
        };
        if constexpr (words == 1) {
            return counts(0);
        } else if constexpr (words == 2) {
            return _mm256_permute4x64_epi64(sums_of_two(counts(0), counts(1)), 0b11'01'10'00);
        } else {
            const __m256i low = sums_of_two(counts(0), counts(1));
            const __m256i high = sums_of_two(counts(2), counts(3));
            return _mm256_add_epi64(_mm256_permute2x128_si256(low, high, 0x20),
                                    _mm256_permute2x128_si256(low, high, 0x31));
        }
    }
    // Small whole numbers are the last bits of a number that has all others.
    template <std::size_t words>
    static void count(__m256i shared, const char *rows, double *out) {
        const __m256d above = _mm256_set1_pd(0x1p52);
        const __m256i bits = _mm256_or_si256(differing_bits<words>(shared, rows), _mm256_castpd_si256(above));
        _mm256_storeu_pd(out, _mm256_sub_pd(_mm256_castsi256_pd(bits), above));
    }
};

constexpr std::size_t planes = 4;
constexpr std::size_t vector_bytes = 32;

// How many bits of the first `length` bytes of a row, whole vectors, differ from each of the planes, `stride` bytes
// apart, times 2^plane.
std::uint64_t count_in_vectors(const char *row, const char *plane, std::size_t stride, std::size_t length) {
    __m256i sums = _mm256_setzero_si256();
    for (std::size_t at = 0; at < length; at += vector_bytes) {
        const __m256i cells = load(row + at);
        const char *const other = plane + at;
        // At most 8 + 16 + 32 + 64 for a byte.
        const __m256i low = _mm256_add_epi8(bits_of_bytes<0>(_mm256_xor_si256(cells, load(other))),
                                            bits_of_bytes<1>(_mm256_xor_si256(cells, load(other + stride))));
        const __m256i high = _mm256_add_epi8(bits_of_bytes<2>(_mm256_xor_si256(cells, load(other + 2 * stride))),
                                             bits_of_bytes<3>(_mm256_xor_si256(cells, load(other + 3 * stride))));
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256()));
    }
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half))));
}

// The same of a word or a byte.
template <class Word>
std::uint64_t count_in_word(const char *row, const char *plane, std::size_t stride) {
    Word x, y;
    __builtin_memcpy(&x, row, sizeof(x));
    std::uint64_t count = 0;
    for (std::size_t bit = 0; bit < planes; ++bit) {
        __builtin_memcpy(&y, plane + bit * stride, sizeof(y));
        count += static_cast<std::uint64_t>(__builtin_popcountll(static_cast<Word>(x ^ y))) << bit;
    }
    return count;
}

// What is shorter than a vector is counted by words meanwhile. With a `fixed` length rows have just that.
template <std::size_t fixed>
void gathered_planes(const GatheredRows &gathered) {
    const std::size_t length = fixed != 0 ? fixed : gathered.length;
    const char *const rows = static_cast<const char *>(gathered.rows);
    const char *const plane = static_cast<const char *>(gathered.row);
    const std::size_t ahead = rows_ahead(length, 1);
    fetch_rows(gathered, length, 0, ahead);
    for (std::size_t i = 0; i < gathered.count; ++i) {
        fetch_rows(gathered, length, i + ahead, i + ahead + 1);
        const char *const row = rows + gathered.numbers[i] * gathered.stride;
        std::size_t at = length / vector_bytes * vector_bytes;
        std::uint64_t count = count_in_vectors(row, plane, length, at);
        for (; length - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
            count += count_in_word<std::uint64_t>(row + at, plane + at, length);
        }
        for (; at < length; ++at) {
            count += count_in_word<std::uint8_t>(row + at, plane + at, length);
        }
        gathered.out[i] = static_cast<float>(count);
    }
}

}  // namespace

#include "lib/kernels/distance/distance.inc"

void hamming_i8_i8(const RowPairs &pairs) {
    if (!hamming_of_short_rows_in_vectors<FourRows>(pairs)) {
        row_pairs<DifferingBits, i8, i8, double>(pairs);
    }
}
void gathered_hamming_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8>(rows);
}
void gathered_hamming_planes_i8_i8(const GatheredRows &rows) {
    switch (rows.length) {
        case 32:
            return gathered_planes<32>(rows);
        case 48:
            return gathered_planes<48>(rows);
        case 64:
            return gathered_planes<64>(rows);
        case 96:
            return gathered_planes<96>(rows);
        case 128:
            return gathered_planes<128>(rows);
        default:
            return gathered_planes<0>(rows);
    }
}

}  // namespace tenrex::kernels::avx2
