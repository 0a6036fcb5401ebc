#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels::avx512popcnt {
namespace {

struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        return add(sums, _mm512_popcnt_epi32(_mm512_xor_si512(a, b)));
    }
};

}  // namespace

void hamming_i8_i8(const RowPairs &pairs) {
    row_pairs<DifferingBits, i8, i8, double>(pairs);
}

}  // namespace tenrex::kernels::avx512popcnt
