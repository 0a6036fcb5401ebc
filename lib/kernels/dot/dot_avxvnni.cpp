#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avxvnni {
namespace {

// The instruction takes an unsigned and a signed operand. So b is raised by 128, and what that adds to the sums, 128 *
// a, is counted aside and removed. Nothing saturates.
struct ByteProducts : Bytes {
    static constexpr bool has_aside = true;

    static Vector raise() { return _mm256_set1_epi8(-128); }
    static Vector step(Vector sums, Vector a, Vector b) {
        return _mm256_dpbusd_avx_epi32(sums, _mm256_xor_si256(b, raise()), a);
    }
    static Vector aside(Vector sums, Vector a) { return _mm256_dpbusd_avx_epi32(sums, raise(), a); }
    static Vector without(Vector sums, Vector aside) { return _mm256_sub_epi32(sums, aside); }
};

}  // namespace

void dot_i8_i8(const RowPairs &pairs) {
    row_pairs<ByteProducts, i8, i8, double>(pairs);
}
void gathered_dot_i8_i8(const GatheredRows &rows) {
    gathered_rows<ByteProducts, i8, i8>(rows);
}

}  // namespace tenrex::kernels::avxvnni
