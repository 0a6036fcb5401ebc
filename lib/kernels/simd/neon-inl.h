// What the vectors of the target `baseline` take from AdvSIMD, which every AArch64 processor has.
#pragma once

#include <arm_neon.h>

#include "lib/kernels/simd/vectors128-inl.h"

namespace tenrex::kernels {
namespace {

struct FloatInstructions {
    static Float4 multiply_add(Float4 x, Float4 y, Float4 z) { return vfmaq_f32(z, x, y); }

    static Float4 load(const bf16 *cells, std::size_t count = 4) {
        const uint16x8_t halves = load_low_lanes<Half8>(cells, count);
        return vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(halves), 16));
    }
    static Float4 load(const i8 *cells, std::size_t count = 4) {
        const int8x16_t bytes = load_low_lanes<Byte16>(cells, count);
        return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vget_low_s8(bytes)))));
    }
};

struct DoubleInstructions {
    static Double2 multiply_add(Double2 x, Double2 y, Double2 z) { return vfmaq_f64(z, x, y); }

    static Double2 load(const f32 *cells, std::size_t count = 2) { return widen(load_low_lanes<Float4>(cells, count)); }
    static Double2 load(const bf16 *cells, std::size_t count = 2) {
        return widen(FloatInstructions::load(cells, count));
    }
    static Double2 load(const i8 *cells, std::size_t count = 2) { return widen(FloatInstructions::load(cells, count)); }

private:
    static Double2 widen(Float4 x) { return vcvt_f64_f32(vget_low_f32(x)); }
};

// Products are added to any lanes.
struct ShortInstructions {
    static Int4 multiply_add(Short8 x, Short8 y, Int4 z) {
        return vmlal_high_s16(vmlal_s16(z, vget_low_s16(x), vget_low_s16(y)), x, y);
    }

    static Short8 load(const i8 *cells, std::size_t count = 8) {
        const int8x16_t bytes = load_low_lanes<Byte16>(cells, count);
        return vmovl_s8(vget_low_s8(bytes));
    }
};

// A word that all are multiplied by stays alone: instructions multiply by a lane. The other operand is parted into the
// first and the second integers of its words, once for all rows of a tile.
struct PairInstructions {
    static int16x4_t broadcast(const i32 *word) { return vcreate_s16(static_cast<std::uint32_t>(word->value)); }
    static Int4 multiply_add(int16x4_t x, Int4 y, Int4 z) {
        const int16x8_t pairs = vreinterpretq_s16_s32(y);
        const int16x4_t first = vget_low_s16(vuzp1q_s16(pairs, pairs));
        const int16x4_t second = vget_low_s16(vuzp2q_s16(pairs, pairs));
        return vmlal_lane_s16(vmlal_lane_s16(z, first, x, 0), second, x, 1);
    }
};

}  // namespace
}  // namespace tenrex::kernels
