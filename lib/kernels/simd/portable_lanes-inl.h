// Vectors of 128 bits without fused multiply-add: SSE2 on x86-64, plain code elsewhere.
#pragma once

#include "lib/kernels/simd/lanes128-inl.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tenrex::kernels {
namespace {

template <class T>
struct UnfusedLanes : Lanes128<T> {
    using Base = Lanes128<T>;
    using V = typename Base::V;
    static constexpr bool fuses = false;
    // Numbers from here on have no fraction; added and subtracted, it rounds smaller ones to integers.
    static constexpr T whole = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

    static V multiply_add(V x, V y, V z) { return x * y + z; }

    static V nearest(V x) {
        const V size = Base::magnitude(x);
        const V rounded = Base::copy_sign(size + whole - whole, x);
        return size < Base::all(whole) ? rounded : x;
    }
    static V floor(V x) {
        const V rounded = nearest(x);
        return Base::copy_sign(rounded > x ? rounded - T(1) : rounded, x);
    }
    static V ceil(V x) {
        const V rounded = nearest(x);
        return Base::copy_sign(rounded < x ? rounded + T(1) : rounded, x);
    }
};

struct DoubleLanes : UnfusedLanes<double> {
#if defined(__SSE2__)
    static V larger(V x, V y) {
        return _mm_max_pd(x, y);
    }
    static V smaller(V x, V y) {
        return _mm_min_pd(x, y);
    }
#endif
    static V sqrt(V x) {
#if defined(__SSE2__)
        return _mm_sqrt_pd(x);
#else
        return V{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
    }
};

struct FloatLanes : UnfusedLanes<float> {
    using Wide = DoubleLanes;
#if defined(__SSE2__)
    static V larger(V x, V y) {
        return _mm_max_ps(x, y);
    }
    static V smaller(V x, V y) {
        return _mm_min_ps(x, y);
    }
#endif
    static V sqrt(V x) {
#if defined(__SSE2__)
        return _mm_sqrt_ps(x);
#else
        return V{__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]), __builtin_sqrtf(x[3])};
#endif
    }

    // The two halves as doubles, and back.
    static DoubleLanes::V low(V x) {
        return DoubleLanes::V{x[0], x[1]};
    }
    static DoubleLanes::V high(V x) {
        return DoubleLanes::V{x[2], x[3]};
    }
    static V join(DoubleLanes::V low, DoubleLanes::V high) {
        return V{static_cast<float>(low[0]), static_cast<float>(low[1]), static_cast<float>(high[0]),
                 static_cast<float>(high[1])};
    }
};

}  // namespace
}  // namespace tenrex::kernels
