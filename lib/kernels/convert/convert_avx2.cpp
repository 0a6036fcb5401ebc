#include "lib/kernels/convert/convert-inl.h"

namespace tenrex::kernels::avx2 {

void convert_f64_f32(const RowConversion &rows) {
    convert<f64, f32>(rows);
}
void convert_f64_bf16(const RowConversion &rows) {
    convert<f64, bf16>(rows);
}
void convert_f64_i8(const RowConversion &rows) {
    convert<f64, i8>(rows);
}
void convert_f32_f64(const RowConversion &rows) {
    convert<f32, f64>(rows);
}
void convert_f32_bf16(const RowConversion &rows) {
    convert<f32, bf16>(rows);
}
void convert_f32_i8(const RowConversion &rows) {
    convert<f32, i8>(rows);
}
void convert_bf16_f64(const RowConversion &rows) {
    convert<bf16, f64>(rows);
}
void convert_bf16_f32(const RowConversion &rows) {
    convert<bf16, f32>(rows);
}
void convert_bf16_i8(const RowConversion &rows) {
    convert<bf16, i8>(rows);
}
void convert_i8_f64(const RowConversion &rows) {
    convert<i8, f64>(rows);
}
void convert_i8_f32(const RowConversion &rows) {
    convert<i8, f32>(rows);
}
void convert_i8_bf16(const RowConversion &rows) {
    convert<i8, bf16>(rows);
}
void unpack_bits_big(const RowConversion &rows) {
    unpack_bits<true>(rows);
}
void unpack_bits_little(const RowConversion &rows) {
    unpack_bits<false>(rows);
}

}  // namespace tenrex::kernels::avx2
