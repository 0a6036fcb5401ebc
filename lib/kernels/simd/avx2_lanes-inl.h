// Vectors of 256 bits, with fused multiply-add.
#pragma once

#include <immintrin.h>

#include "lib/kernels/simd/lanes-inl.h"

namespace tenrex::kernels {
namespace {

struct DoubleLanes : PortableLanes<double, 32> {
    static constexpr bool fuses = true;

    static V multiply_add(V x, V y, V z) { return _mm256_fmadd_pd(x, y, z); }
    static V sqrt(V x) { return _mm256_sqrt_pd(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm256_max_pd(x, y); }
    static V smaller(V x, V y) { return _mm256_min_pd(x, y); }
    static V nearest(V x) { return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static V floor(V x) { return _mm256_floor_pd(x); }
    static V ceil(V x) { return _mm256_ceil_pd(x); }

    using PortableLanes::load;
    using PortableLanes::store;
    // A single cell apart: a masked load would wait until the cell, just stored, is in the cache.
    static V load(const char *cells, std::size_t count) {
        if (count == 1) {
            double cell;  // which need not be aligned
            __builtin_memcpy(&cell, cells, sizeof(cell));
            return _mm256_zextpd128_pd256(_mm_set_sd(cell));
        }
        return _mm256_maskload_pd(reinterpret_cast<const double *>(cells), first(count));
    }
    // By halves: masked stores are slow on some CPUs.
    static void store(char *cells, V x, std::size_t count) {
        __m128d part = _mm256_castpd256_pd128(x);
        if ((count & 2) != 0) {
            __builtin_memcpy(cells, &part, sizeof(part));
            cells += sizeof(part);
            part = _mm256_extractf128_pd(x, 1);
        }
        if ((count & 1) != 0) {
            __builtin_memcpy(cells, &part, sizeof(double));
        }
    }

private:
    static __m256i first(std::size_t count) {
        return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)), _mm256_setr_epi64x(0, 1, 2, 3));
    }
};

struct FloatLanes : PortableLanes<float, 32> {
    using Wide = DoubleLanes;
    static constexpr bool fuses = true;

    // Bits from places `apart`, 16 bytes from each.
    static V from_places(const char *first, std::ptrdiff_t apart) {
        const V low = _mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float *>(first)));
        return _mm256_insertf128_ps(low, _mm_loadu_ps(reinterpret_cast<const float *>(first + apart)), 1);
    }
    static V multiply_add(V x, V y, V z) { return _mm256_fmadd_ps(x, y, z); }
    static V sqrt(V x) { return _mm256_sqrt_ps(x); }
    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return _mm256_max_ps(x, y); }
    static V smaller(V x, V y) { return _mm256_min_ps(x, y); }
    static V nearest(V x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static V floor(V x) { return _mm256_floor_ps(x); }
    static V ceil(V x) { return _mm256_ceil_ps(x); }

    using PortableLanes::load;
    using PortableLanes::store;
    static V load(const char *cells, std::size_t count) {
        if (count == 1) {
            float cell;  // which need not be aligned
            __builtin_memcpy(&cell, cells, sizeof(cell));
            return _mm256_zextps128_ps256(_mm_set_ss(cell));
        }
        return _mm256_maskload_ps(reinterpret_cast<const float *>(cells), first(count));
    }
    static void store(char *cells, V x, std::size_t count) {
        __m128 part = _mm256_castps256_ps128(x);
        if ((count & 4) != 0) {
            __builtin_memcpy(cells, &part, sizeof(part));
            cells += sizeof(part);
            part = _mm256_extractf128_ps(x, 1);
        }
        if ((count & 2) != 0) {
            __builtin_memcpy(cells, &part, sizeof(part) / 2);
            cells += sizeof(part) / 2;
            part = _mm_movehl_ps(part, part);
        }
        if ((count & 1) != 0) {
            __builtin_memcpy(cells, &part, sizeof(float));
        }
    }

    // The two halves as doubles, and back.
    static DoubleLanes::V low(V x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
    static DoubleLanes::V high(V x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
    static V join(DoubleLanes::V low, DoubleLanes::V high) {
        return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
    }

private:
    static __m256i first(std::size_t count) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
};

}  // namespace
}  // namespace tenrex::kernels
