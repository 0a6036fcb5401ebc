// Vectors of 512 bits, with fused multiply-add.
#pragma once

#include <immintrin.h>

#include "lib/kernels/simd/lanes-inl.h"

namespace tenrex::kernels {
namespace {

struct DoubleLanes : PortableLanes<double, 64> {
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return _mm512_fmadd_pd(x, y, z); }
    static V sqrt(V x) { return _mm512_sqrt_pd(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm512_max_pd(x, y); }
    static V smaller(V x, V y) { return _mm512_min_pd(x, y); }
    static V scale(V x, V n) { return _mm512_scalef_pd(x, n); }
    static V nearest(V x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static V floor(V x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
    static V ceil(V x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC); }

    using PortableLanes::load;
    using PortableLanes::store;
    // A single cell apart: what a masked store has written can not be loaded before it is in the cache.
    static V load(const char *cells, std::size_t count) {
        if (count == 1) {
            double cell;  // which need not be aligned
            __builtin_memcpy(&cell, cells, sizeof(cell));
            return _mm512_zextpd128_pd512(_mm_set_sd(cell));
        }
        return _mm512_maskz_loadu_pd(first(count), cells);
    }
    static void store(char *cells, V x, std::size_t count) {
        if (count == 1) {
            __builtin_memcpy(cells, &x, sizeof(double));
        } else {
            _mm512_mask_storeu_pd(cells, first(count), x);
        }
    }

private:
    static __mmask8 first(std::size_t count) { return static_cast<__mmask8>((1U << count) - 1); }
};

struct FloatLanes : PortableLanes<float, 64> {
    using Wide = DoubleLanes;
    static constexpr bool fuses = true;

    // Bits from places `apart`, 16 bytes from each.
    static V from_places(const char *first, std::ptrdiff_t apart) {
        const auto from = [=](std::ptrdiff_t place) {
            return _mm_loadu_ps(reinterpret_cast<const float *>(first + place * apart));
        };
        V all = _mm512_castps128_ps512(from(0));
        all = _mm512_mask_broadcast_f32x4(all, 0x00f0, from(1));
        all = _mm512_mask_broadcast_f32x4(all, 0x0f00, from(2));
        return _mm512_mask_broadcast_f32x4(all, 0xf000, from(3));
    }
    static V multiply_add(V x, V y, V z) { return _mm512_fmadd_ps(x, y, z); }
    static V sqrt(V x) { return _mm512_sqrt_ps(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm512_max_ps(x, y); }
    static V smaller(V x, V y) { return _mm512_min_ps(x, y); }
    static V scale(V x, V n) { return _mm512_scalef_ps(x, n); }
    static V nearest(V x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static V floor(V x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
    static V ceil(V x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC); }

    using PortableLanes::load;
    using PortableLanes::store;
    static V load(const char *cells, std::size_t count) {
        if (count == 1) {
            float cell;  // which need not be aligned
            __builtin_memcpy(&cell, cells, sizeof(cell));
            return _mm512_zextps128_ps512(_mm_set_ss(cell));
        }
        return _mm512_maskz_loadu_ps(first(count), cells);
    }
    static void store(char *cells, V x, std::size_t count) {
        if (count == 1) {
            __builtin_memcpy(cells, &x, sizeof(float));
        } else {
            _mm512_mask_storeu_ps(cells, first(count), x);
        }
    }

    // The two halves as doubles, and back.
    static DoubleLanes::V low(V x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
    static DoubleLanes::V high(V x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
    static V join(DoubleLanes::V low, DoubleLanes::V high) {
        return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
    }

private:
    static __mmask16 first(std::size_t count) { return static_cast<__mmask16>((1U << count) - 1); }
};

}  // namespace
}  // namespace tenrex::kernels
