// The operations on vectors, named like the functors of lib/support/scalar_functions.h, which define them.
#pragma once

#include "lib/kernels/elementwise/arcs-inl.h"
#include "lib/kernels/elementwise/by_cell-inl.h"
#include "lib/kernels/elementwise/erf-inl.h"
#include "lib/kernels/elementwise/exponential-inl.h"
#include "lib/kernels/elementwise/hyperbolic-inl.h"
#include "lib/kernels/elementwise/power-inl.h"
#include "lib/kernels/elementwise/remainder-inl.h"
#include "lib/kernels/elementwise/trigonometric-inl.h"

namespace tenrex::kernels {
namespace {
namespace operation {

// An operation of a few instructions, and one of many, which needs no unrolling.
struct Short {
    static constexpr std::size_t unroll = 4;
};
// One whose results are often aggregated at once.
struct Arithmetic : Short {
    static constexpr bool is_aggregated = true;
};
struct Long {
    static constexpr std::size_t unroll = 1;
};
// Computed one cell after the other.
struct Single {
    static constexpr std::size_t unroll = 0;
};

#define TENREX_UNARY(name, kind, expression)        \
    struct name : kind {                            \
        template <class L, class V = typename L::V> \
        static V compute(V a) {                     \
            return expression;                      \
        }                                           \
    };
#define TENREX_BINARY(name, kind, expression)       \
    struct name : kind {                            \
        template <class L, class V = typename L::V> \
        static V compute(V a, V b) {                \
            return expression;                      \
        }                                           \
    };

#define TENREX_UNARY_SINGLE(name, expression)                  \
    struct name : Single {                                     \
        static double compute(double a) { return expression; } \
    };
#define TENREX_BINARY_SINGLE(name, expression)                           \
    struct name : Single {                                               \
        static double compute(double a, double b) { return expression; } \
    };

// 1 where the mask is set, else 0.
template <class L, class Mask>
inline typename L::V one_if(Mask mask) {
    return mask ? L::all(1) : L::all(0);
}

// ---- operators

TENREX_UNARY(negate, Short, -a)
TENREX_UNARY(logical_not, Short, one_if<L>(a == L::all(0)))
TENREX_BINARY(power, Long, (power_of<L>(a, b)))
TENREX_BINARY(multiply, Arithmetic, a *b)
TENREX_BINARY(divide, Short, a / b)
TENREX_BINARY(modulo, Long, (remainder_of<L>(a, b)))
TENREX_BINARY(add, Arithmetic, a + b)
TENREX_BINARY(subtract, Arithmetic, a - b)
TENREX_BINARY(equal, Short, one_if<L>(a == b))
TENREX_BINARY(not_equal, Short, one_if<L>(a != b))
TENREX_BINARY_SINGLE(approx_equal, approx_equal_of_cells(a, b))
TENREX_BINARY(less, Short, one_if<L>(a < b))
TENREX_BINARY(less_equal, Short, one_if<L>(a <= b))
TENREX_BINARY(greater, Short, one_if<L>(a > b))
TENREX_BINARY(greater_equal, Short, one_if<L>(a >= b))
TENREX_BINARY(logical_and, Short, one_if<L>((a != L::all(0)) & (b != L::all(0))))
TENREX_BINARY(logical_or, Short, one_if<L>((a != L::all(0)) | (b != L::all(0))))

// ---- functions

TENREX_UNARY(abs, Arithmetic, L::magnitude(a))
TENREX_UNARY(acos, Long, arc_cosine<L>(a))
TENREX_UNARY(asin, Long, arc_sine<L>(a))
TENREX_UNARY(atan, Long, arc_tangent<L>(a))
TENREX_BINARY(atan2, Long, (arc_tangent_of_two<L>(a, b)))
TENREX_BINARY_SINGLE(bit, bit_of_cell(a, b))
TENREX_UNARY(ceil, Short, L::ceil(a))
TENREX_UNARY(cos, Long, cosine<L>(a))
TENREX_UNARY_SINGLE(cosh, __builtin_cosh(a))
TENREX_UNARY(elu, Long, exponential_linear_unit<L>(a))
TENREX_UNARY(erf, Long, error_function<L>(a))
TENREX_UNARY(exp, Long, exponential<L>(a))
TENREX_UNARY(floor, Short, L::floor(a))
TENREX_BINARY_SINGLE(hamming, hamming_of_cells(a, b))
TENREX_UNARY(is_nan, Short, one_if<L>(a != a))
TENREX_BINARY_SINGLE(ldexp, ldexp_of_cell(a, b))
TENREX_UNARY(log, Long, natural_logarithm<L>(a))
TENREX_UNARY(log10, Long, decimal_logarithm<L>(a))
TENREX_BINARY(max, Short, L::larger(b, a))
TENREX_BINARY(min, Short, L::smaller(b, a))
TENREX_UNARY(relu, Arithmetic, L::larger(L::all(0), a))
TENREX_UNARY(sigmoid, Long, logistic<L>(a))
TENREX_UNARY(sign, Short, a >= L::all(0) ? L::all(1) : L::all(-1))
TENREX_UNARY(sin, Long, sine<L>(a))
TENREX_UNARY_SINGLE(sinh, __builtin_sinh(a))
TENREX_UNARY(sqrt, Short, L::sqrt(a))
TENREX_UNARY(square, Short, a *a)
TENREX_UNARY(tan, Long, tangent<L>(a))
TENREX_UNARY(tanh, Long, hyperbolic_tangent<L>(a))
TENREX_UNARY(copy, Short, a)

#undef TENREX_UNARY
#undef TENREX_UNARY_SINGLE
#undef TENREX_BINARY
#undef TENREX_BINARY_SINGLE

using fabs = abs;
using fmod = modulo;
using pow = power;

// floor(a + 0.5) without the rounding of that sum.
struct round : Short {
    template <class L, class V = typename L::V>
    static V compute(V a) {
        const V below = L::floor(a);
        return a - below >= L::all(0.5) ? below + L::all(1) : below;
    }
};

struct select : Short {
    template <class L, class V = typename L::V>
    static V compute(V a, V b, V c) {
        return c != L::all(0) ? a : b;
    }
};

struct multiply_add : Arithmetic {
    template <class L, class V = typename L::V>
    static V compute(V a, V b, V c) {
        return a * b + c;  // never fused: the sources are compiled with -ffp-contract=off
    }
};

}  // namespace operation
}  // namespace
}  // namespace tenrex::kernels
