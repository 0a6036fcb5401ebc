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
    row_pairs<DifferingBits, i8, i8, double>(pairs);
}

}  // namespace tenrex::kernels::baseline
