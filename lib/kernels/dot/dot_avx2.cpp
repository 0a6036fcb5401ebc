#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

// A cell of a times a bit is the cell or zero, but NaN if the cell is infinite or NaN. So each loaded vector carries
// its products with zero along, and the bits choose.
struct CellsAndZeros {
    __m256 cells;
    __m256 zeros;
};

// All ones in the lanes whose bit is set.
struct Choice {
    __m256 lanes;
};

template <bool big>
struct BitProducts : Floats {
    using Native = void;
    static constexpr bool has_aside = false;

    static CellsAndZeros load(const f32 *cells) {
        const Vector loaded = Floats::load(cells);
        return {loaded, _mm256_mul_ps(loaded, zero())};
    }
    static CellsAndZeros load(const f32 *cells, std::size_t) { return load(cells); }  // rows are whole bytes
    static Choice load(const EightBits<big> *bits) {
        const __m256i place =
            big ? _mm256_setr_epi32(128, 64, 32, 16, 8, 4, 2, 1) : _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        const __m256i found = _mm256_and_si256(_mm256_set1_epi32(bits->byte), place);
        return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(found, place))};
    }
    static Choice load(const EightBits<big> *bits, std::size_t) { return load(bits); }

    static Vector step(Vector sums, CellsAndZeros a, Choice choice) {
        return add(sums, _mm256_blendv_ps(a.zeros, a.cells, choice.lanes));
    }
    static Vector step(Vector sums, Choice choice, CellsAndZeros b) { return step(sums, b, choice); }
};

template <bool big>
inline void dot_bits(RowPairs pairs) {
    pairs.length *= 8;
    row_pairs<BitProducts<big>, f32, EightBits<big>>(pairs);
}

}  // namespace

void dot_f64_f64(const RowPairs &pairs) {
    row_pairs<Product<Doubles>, f64, f64>(pairs);
}
void dot_f64_f32(const RowPairs &pairs) {
    row_pairs<Product<Doubles>, f64, f32>(pairs);
}
void dot_f64_bf16(const RowPairs &pairs) {
    row_pairs<Product<Doubles>, f64, bf16>(pairs);
}
void dot_f64_i8(const RowPairs &pairs) {
    row_pairs<Product<Doubles>, f64, i8>(pairs);
}
void dot_f32_f32(const RowPairs &pairs) {
    row_pairs<Product<Floats>, f32, f32>(pairs);
}
void dot_f32_bf16(const RowPairs &pairs) {
    row_pairs<Product<Floats>, f32, bf16>(pairs);
}
void dot_f32_i8(const RowPairs &pairs) {
    row_pairs<Product<Floats>, f32, i8>(pairs);
}
void dot_bf16_bf16(const RowPairs &pairs) {
    row_pairs<Product<Floats>, bf16, bf16>(pairs);
}
void dot_bf16_i8(const RowPairs &pairs) {
    row_pairs<Product<Floats>, bf16, i8>(pairs);
}
void dot_i8_i8(const RowPairs &pairs) {
    row_pairs<Product<Shorts>, i8, i8, double>(pairs);
}
void dot_bits_big(const RowPairs &pairs) {
    dot_bits<true>(pairs);
}
void dot_bits_little(const RowPairs &pairs) {
    dot_bits<false>(pairs);
}

}  // namespace tenrex::kernels::avx2
