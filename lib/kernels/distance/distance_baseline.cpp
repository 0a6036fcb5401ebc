#include "lib/kernels/distance/distance-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
namespace {

// Counts bits in every 32-bit lane by adding neighbours: pairs, then fours, then bytes, then all.
struct DifferingBits : Bytes {
    static constexpr bool has_aside = false;

    static Vector step(Vector sums, Vector a, Vector b) {
        Word4 bits = __builtin_bit_cast(Word4, a ^ b);
        bits -= (bits >> 1) & 0x55555555U;
        bits = (bits & 0x33333333U) + ((bits >> 2) & 0x33333333U);
        bits = (bits + (bits >> 4)) & 0x0F0F0F0FU;
        bits += bits >> 8;
        bits = (bits + (bits >> 16)) & 0xFFU;
        return sums + __builtin_bit_cast(Vector, bits);
    }
};

}  // namespace

#include "lib/kernels/distance/distance.inc"

void hamming_i8_i8(const RowPairs &pairs) {
    row_pairs<DifferingBits, i8, i8, double>(pairs);
}
void gathered_hamming_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8>(rows);
}
void gathered_hamming_planes_i8_i8(const GatheredRows &rows) {
    gathered_rows<DifferingBits, i8, i8, 4>(rows);
}

}  // namespace tenrex::kernels::baseline
