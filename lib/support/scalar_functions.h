// What the scalar functions and operators compute: one functor per row of functions.def, named like its enumerator.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenrex/cell_type.h>

#include "lib/support/scalar_function.h"

namespace tenrex {

// The functors that are plain arithmetic take any type with the operators they use; the others take double. NaN and
// infinity follow IEEE 754 unless a comment says otherwise. Those that are a Reference::formula (function_facts.h) say
// how far they are from the exact result: by `units` of its last place, and by what the formula has lost beyond that.
namespace functor {

// ---- operators

struct negate {
    template <class T>
    constexpr T operator()(T a) const {
        return -a;
    }
};
struct logical_not {
    constexpr double operator()(double a) const { return a == 0.0 ? 1.0 : 0.0; }  // NaN counts as true
};
struct power {
    double operator()(double a, double b) const { return std::pow(a, b); }
};
struct multiply {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a * b;
    }
};
struct divide {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a / b;
    }
};
struct modulo {
    double operator()(double a, double b) const { return std::fmod(a, b); }
};
struct add {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a + b;
    }
};
struct subtract {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a - b;
    }
};
struct equal {
    constexpr double operator()(double a, double b) const { return a == b ? 1.0 : 0.0; }
};
struct not_equal {
    constexpr double operator()(double a, double b) const { return a != b ? 1.0 : 0.0; }
};
// Not symmetric: large numbers are compared by their ratio, small ones by their distance, both in steps of a float.
struct approx_equal {
    double operator()(double a, double b) const {
        if (a == b) {
            return 1.0;
        }
        if (std::fabs(a) > 1.0) {
            return std::nextafter(static_cast<float>(b / a), 1.0f) == 1.0f ? 1.0 : 0.0;
        }
        const float near = static_cast<float>(a);
        return near == std::nextafter(static_cast<float>(b), near) ? 1.0 : 0.0;
    }
};
struct less {
    constexpr double operator()(double a, double b) const { return a < b ? 1.0 : 0.0; }
};
struct less_equal {
    constexpr double operator()(double a, double b) const { return a <= b ? 1.0 : 0.0; }
};
struct greater {
    constexpr double operator()(double a, double b) const { return a > b ? 1.0 : 0.0; }
};
struct greater_equal {
    constexpr double operator()(double a, double b) const { return a >= b ? 1.0 : 0.0; }
};
struct logical_and {
    constexpr double operator()(double a, double b) const { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }
};
struct logical_or {
    constexpr double operator()(double a, double b) const { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }
};

// ---- functions

struct abs {
    double operator()(double a) const { return std::fabs(a); }
};
struct acos {
    double operator()(double a) const { return std::acos(a); }
};
struct asin {
    double operator()(double a) const { return std::asin(a); }
};
struct atan {
    double operator()(double a) const { return std::atan(a); }
};
struct atan2 {
    double operator()(double y, double x) const { return std::atan2(y, x); }
};
struct bit {
    constexpr double operator()(double a, double number) const {
        if (!(number > -1.0 && number < 8.0)) {  // a NaN is no bit either
            return 0.0;
        }
        const unsigned byte = static_cast<std::uint8_t>(to_cell<std::int8_t>(a));
        return static_cast<double>((byte >> static_cast<unsigned>(static_cast<int>(number))) & 1u);
    }
};
struct ceil {
    double operator()(double a) const { return std::ceil(a); }
};
struct cos {
    double operator()(double a) const { return std::cos(a); }
};
struct cosh {
    double operator()(double a) const { return std::cosh(a); }
};
struct elu {
    static constexpr double units = 1.0;
    double operator()(double a) const { return a < 0.0 ? std::exp(a) - 1.0 : a; }
    static double lost(double a) { return a < 0.0 ? 0x1p-52 : 0.0; }
};
struct erf {
    double operator()(double a) const { return std::erf(a); }
};
struct exp {
    double operator()(double a) const { return std::exp(a); }
};
struct fabs {
    double operator()(double a) const { return std::fabs(a); }
};
struct floor {
    double operator()(double a) const { return std::floor(a); }
};
struct fmod {
    double operator()(double a, double b) const { return std::fmod(a, b); }
};
struct hamming {
    constexpr double operator()(double a, double b) const {
        const auto x = static_cast<std::uint8_t>(to_cell<std::int8_t>(a));
        const auto y = static_cast<std::uint8_t>(to_cell<std::int8_t>(b));
        return std::popcount(static_cast<unsigned>(x ^ y));
    }
};
struct is_nan {
    constexpr double operator()(double a) const { return a != a ? 1.0 : 0.0; }
};
struct ldexp {
    double operator()(double a, double exponent) const {
        if (exponent != exponent) {
            return exponent;
        }
        // Beyond this every number but 0, infinity and NaN has become 0 or infinity.
        constexpr double most = 5000.0;
        const double whole = exponent > most ? most : (exponent < -most ? -most : exponent);
        return std::ldexp(a, static_cast<int>(whole));
    }
};
struct log {
    double operator()(double a) const { return std::log(a); }
};
struct log10 {
    double operator()(double a) const { return std::log10(a); }
};
// min and max of a NaN and a number give the first argument.
struct max {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct min {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
struct pow {
    double operator()(double a, double b) const { return std::pow(a, b); }
};
struct relu {
    constexpr double operator()(double a) const { return a < 0.0 ? 0.0 : a; }  // NaN stays NaN
};
// floor(a + 0.5) without the rounding of that sum, which would make 1 of the largest number below 0.5.
struct round {
    double operator()(double a) const {
        const double below = std::floor(a);
        return a - below >= 0.5 ? below + 1.0 : below;
    }
};
struct sigmoid {
    static constexpr double units = 3.0;  // a rounding of each operation
    double operator()(double a) const { return 1.0 / (1.0 + std::exp(-a)); }
    static double lost(double a) { return a < -708.0 ? 0x1p-1021 : 0.0; }  // exp(-a) overflows
};
struct sign {
    constexpr double operator()(double a) const { return a >= 0.0 ? 1.0 : -1.0; }  // of 0: 1, of NaN: -1
};
struct sin {
    double operator()(double a) const { return std::sin(a); }
};
struct sinh {
    double operator()(double a) const { return std::sinh(a); }
};
struct sqrt {
    double operator()(double a) const { return std::sqrt(a); }
};
struct square {
    template <class T>
    constexpr T operator()(T a) const {
        return a * a;
    }
};
struct tan {
    double operator()(double a) const { return std::tan(a); }
};
struct tanh {
    double operator()(double a) const { return std::tanh(a); }
};

template <int arity, class Functor>
double call(Functor functor, double a, [[maybe_unused]] double b) {
    if constexpr (arity == 1) {
        return functor(a);
    } else {
        return functor(a, b);
    }
}

}  // namespace functor

// The function of a and b; a function of one argument does not read b.
inline double apply(ScalarFunction function, double a, double b = std::numeric_limits<double>::quiet_NaN()) {
    switch (function) {
#define TENREX_FUNCTION(id, name, arity, from, to, summary, example) \
    case ScalarFunction::id:                                         \
        return functor::call<arity>(functor::id{}, a, b);
#define TENREX_OPERATOR(id, symbol, arity, precedence, java_precedence, summary) \
    case ScalarFunction::id:                                                     \
        return functor::call<arity>(functor::id{}, a, b);
#include "lib/support/functions.def"
    }
    __builtin_unreachable();
}

}  // namespace tenrex
