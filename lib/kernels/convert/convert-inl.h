// Conversions written so that compilers turn them into vector code for any target; the sources differ only in their
// flags.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/convert/convert.h"

#define TENREX_KERNEL(operation, from, to, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                         \
    RowConversionFunction function;                                             \
    }
#include "lib/kernels/convert/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// The number in a cell, in the narrowest type that computes.
inline double number(f64 cell) {
    return cell.value;
}
inline float number(f32 cell) {
    return cell.value;
}
inline float number(bf16 cell) {
    return __builtin_bit_cast(float, std::uint32_t{cell.value} << 16);
}
inline float number(i8 cell) {
    return cell.value;
}

// The cell of a number: to_cell() of <tenrex/cell_type.h> without branches.
inline void assign(f64 &cell, double value) {
    cell.value = value;
}
inline void assign(f32 &cell, float value) {
    cell.value = value;
}
inline void assign(f32 &cell, double value) {
    cell.value = static_cast<float>(value);
}
inline void assign(bf16 &cell, float value) {
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
    // A NaN whose payload is in the lower half would become an infinity.
    const std::uint32_t quiet = value != value ? 0x40 : 0;
    cell.value = static_cast<std::uint16_t>(bits >> 16 | quiet);
}
inline void assign(bf16 &cell, double value) {
    assign(cell, static_cast<float>(value));
}
template <class T>
inline void assign_i8(i8 &cell, T value) {
    constexpr T limit = T{2147483648};
    const T above = value > -limit ? value : -limit;  // also for NaN; the low byte of either is 0
    const std::int32_t whole = static_cast<std::int32_t>(above < limit ? above : T{0});
    cell.value = static_cast<std::int8_t>(above < limit ? whole : 255);
}
inline void assign(i8 &cell, float value) {
    assign_i8(cell, value);
}
inline void assign(i8 &cell, double value) {
    assign_i8(cell, value);
}

template <class From, class To>
inline void convert(const RowConversion &conversion) {
    const RowConversion rows = conversion;  // a copy: what is written may be anything, but not this
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const From *__restrict in = row<From>(rows.in, rows.in_stride, i);
        To *__restrict out = row<To>(rows.out, rows.out_stride, i);
        for (std::size_t k = 0; k < rows.length; ++k) {
            assign(out[k], number(in[k]));
        }
    }
}

// Numbers of this size are whole: what is added to it is rounded, and again what it was, as a whole number, without it.
inline void round_whole(const RowConversion &conversion) {
    constexpr float whole = 12582912;  // 1.5 * 2^23
    const RowConversion rows = conversion;
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const f32 *__restrict in = row<f32>(rows.in, rows.in_stride, i);
        i8 *__restrict out = row<i8>(rows.out, rows.out_stride, i);
        const float middle = static_cast<const f32 *>(rows.middle)[i].value;
        const float factor = static_cast<const f32 *>(rows.factor)[i].value;
        for (std::size_t k = 0; k < rows.length; ++k) {
            assign(out[k], (in[k].value - middle) * factor + whole - whole);
        }
    }
}

// 2^16+1 times a number less what that is more than the number has no bits that bfloat16 lacks.
inline void round_nearest(const RowConversion &conversion) {
    constexpr float beyond_half = 65537;
    const RowConversion rows = conversion;
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const f32 *__restrict in = row<f32>(rows.in, rows.in_stride, i);
        bf16 *__restrict out = row<bf16>(rows.out, rows.out_stride, i);
        for (std::size_t k = 0; k < rows.length; ++k) {
            const float raised = in[k].value * beyond_half;
            assign(out[k], raised - (raised - in[k].value));
        }
    }
}

// Vectors as wide as a register: compilers take wider ones apart badly.
#if defined(__AVX__)
using Lanes = std::int32_t __attribute__((vector_size(32)));
#else
using Lanes = std::int32_t __attribute__((vector_size(16)));
#endif

template <bool big>
inline void unpack_bits(const RowConversion &conversion) {
    constexpr std::int32_t one = __builtin_bit_cast(std::int32_t, 1.0F);
    constexpr std::int32_t places[2][8] = {{1, 2, 4, 8, 16, 32, 64, 128}, {128, 64, 32, 16, 8, 4, 2, 1}};
    constexpr std::size_t parts = 8 * sizeof(std::int32_t) / sizeof(Lanes);
    Lanes place[parts];
    __builtin_memcpy(place, places[big], sizeof(place));
    const RowConversion rows = conversion;
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const EightBits<big> *in = row<EightBits<big>>(rows.in, rows.in_stride, i);
        char *out = row<char>(rows.out, rows.out_stride, i);
        for (std::size_t k = 0; k < rows.length; ++k) {
            for (std::size_t part = 0; part < parts; ++part, out += sizeof(Lanes)) {
                const Lanes cells = (((Lanes{} + in[k].byte) & place[part]) == place[part]) & one;
                __builtin_memcpy(out, &cells, sizeof(cells));
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
