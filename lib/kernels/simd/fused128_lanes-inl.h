// Vectors of 128 bits on processors with AVX2 and fused multiply-add, for what has no use for wider ones.
#pragma once

#include <immintrin.h>

#include "lib/kernels/simd/lanes-inl.h"

namespace tenrex::kernels {
namespace {

struct NarrowDoubleLanes : PortableLanes<double, 16> {
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return _mm_fmadd_pd(x, y, z); }
    static V sqrt(V x) { return _mm_sqrt_pd(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm_max_pd(x, y); }
    static V smaller(V x, V y) { return _mm_min_pd(x, y); }
#if defined(__AVX512VL__)
    static V scale(V x, V n) {
        return _mm_scalef_pd(x, n);
    }
#endif
    static V nearest(V x) {
        return _mm_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static V floor(V x) {
        return _mm_floor_pd(x);
    }
    static V ceil(V x) {
        return _mm_ceil_pd(x);
    }
};

struct NarrowFloatLanes : PortableLanes<float, 16> {
    using Wide = NarrowDoubleLanes;
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return _mm_fmadd_ps(x, y, z); }
    static V sqrt(V x) { return _mm_sqrt_ps(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm_max_ps(x, y); }
    static V smaller(V x, V y) { return _mm_min_ps(x, y); }
#if defined(__AVX512VL__)
    static V scale(V x, V n) {
        return _mm_scalef_ps(x, n);
    }
#endif
    static V nearest(V x) {
        return _mm_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static V floor(V x) {
        return _mm_floor_ps(x);
    }
    static V ceil(V x) {
        return _mm_ceil_ps(x);
    }

    // The two halves as doubles, and back.
    static Wide::V low(V x) {
        return _mm_cvtps_pd(x);
    }
    static Wide::V high(V x) {
        return _mm_cvtps_pd(_mm_movehl_ps(x, x));
    }
    static V join(Wide::V low, Wide::V high) {
        return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
    }
};

}  // namespace
}  // namespace tenrex::kernels
