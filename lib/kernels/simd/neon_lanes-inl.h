// Vectors of 128 bits of AdvSIMD, which every AArch64 processor has, with fused multiply-add.
#pragma once

#include <arm_neon.h>

#include "lib/kernels/simd/lanes128-inl.h"

namespace tenrex::kernels {
namespace {

struct DoubleLanes : Lanes128<double> {
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return vfmaq_f64(z, x, y); }
    static V sqrt(V x) { return vsqrtq_f64(x); }
    static V nearest(V x) { return vrndnq_f64(x); }
    static V floor(V x) { return vrndmq_f64(x); }
    static V ceil(V x) { return vrndpq_f64(x); }
};

struct FloatLanes : Lanes128<float> {
    using Wide = DoubleLanes;
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return vfmaq_f32(z, x, y); }
    static V sqrt(V x) { return vsqrtq_f32(x); }
    static V nearest(V x) { return vrndnq_f32(x); }
    static V floor(V x) { return vrndmq_f32(x); }
    static V ceil(V x) { return vrndpq_f32(x); }

    // The two halves as doubles, and back.
    static DoubleLanes::V low(V x) { return vcvt_f64_f32(vget_low_f32(x)); }
    static DoubleLanes::V high(V x) { return vcvt_high_f64_f32(x); }
    static V join(DoubleLanes::V low, DoubleLanes::V high) { return vcvt_high_f32_f64(vcvt_f32_f64(low), high); }
};

}  // namespace
}  // namespace tenrex::kernels
