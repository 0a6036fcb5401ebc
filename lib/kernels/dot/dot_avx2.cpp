#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

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

}  // namespace

#include "lib/kernels/dot/dot.inc"

}  // namespace tenrex::kernels::avx2
