#include <arm_neon.h>

#include "lib/kernels/dot/dot-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::neondotprod {
namespace {

// Both operands are signed, and four products are added to each sum. Nothing saturates.
struct ByteProducts : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        return __builtin_bit_cast(Vector,
                                  vdotq_s32(__builtin_bit_cast(int32x4_t, sums), __builtin_bit_cast(int8x16_t, a),
                                            __builtin_bit_cast(int8x16_t, b)));
    }
};

}  // namespace

void dot_i8_i8(const RowPairs &pairs) {
    row_pairs<ByteProducts, i8, i8, double>(pairs);
}
void gathered_dot_i8_i8(const GatheredRows &rows) {
    gathered_rows<ByteProducts, i8, i8>(rows);
}

}  // namespace tenrex::kernels::neondotprod
