// What the kernels that compute cell by cell should give: exactly, and how far a result is from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/support/scalar_functions.h"

namespace tenrex::kernels {

// The result in long double, whose error is far below that of a double.
inline long double exact(ElementwiseOperation operation, long double a, long double b, long double c) {
    using enum ElementwiseOperation;
    switch (operation) {
        case power:
        case pow:
            return std::pow(a, b);
        case acos:
            return std::acos(a);
        case asin:
            return std::asin(a);
        case atan:
            return std::atan(a);
        case atan2:
            return std::atan2(a, b);
        case cos:
            return std::cos(a);
        case cosh:
            return std::cosh(a);
        case elu:
            return a < 0 ? std::expm1(a) : a;
        case erf:
            return std::erf(a);
        case exp:
            return std::exp(a);
        case log:
            return std::log(a);
        case log10:
            return std::log10(a);
        case sigmoid:
            return 1 / (1 + std::exp(-a));
        case sin:
            return std::sin(a);
        case sinh:
            return std::sinh(a);
        case tan:
            return std::tan(a);
        case tanh:
            return std::tanh(a);
        case add:
            return a + b;
        case subtract:
            return a - b;
        case multiply:
            return a * b;
        case divide:
            return a / b;
        case square:
            return a * a;
        case sqrt:
            return std::sqrt(a);
        case select:
            return c != 0 ? a : b;
        case copy:
            return a;
        default:  // exact for floats and doubles
            return apply(static_cast<ScalarFunction>(operation), static_cast<double>(a), static_cast<double>(b));
    }
}

// The distance of a result from the exact one in units of the last place; infinite if one of them alone is NaN, or an
// infinity where that is no rounding.
template <class T>
double ulps_between(T result, long double exact) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(result) || std::isnan(exact)) {
        return std::isnan(result) && std::isnan(exact) ? 0 : std::numeric_limits<double>::infinity();
    }
    const int exponent = std::clamp(exact == 0 ? Limits::min_exponent : std::ilogb(exact), Limits::min_exponent - 1,
                                    Limits::max_exponent - 1);
    const long double ulp = std::ldexp(1.0L, exponent - Limits::digits + 1);
    const long double overflow = std::ldexp(1.0L, Limits::max_exponent);
    const long double reached = std::isinf(result) ? std::copysign(overflow, static_cast<long double>(result)) : result;
    const long double wanted = std::clamp(exact, -overflow, overflow);
    return static_cast<double>(std::fabs(reached - wanted) / ulp);
}

// Numbers at which functions change their ways, and those around them.
template <class T>
std::vector<T> edges() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values = {0};
    for (double size : {1e-30,      1e-10,  1e-5,  1e-3,       0.1,          0.25,         0.3,
                        0.34657359, 0.5,    0.625, 0.70710678, 0.75,         0.9,          1.0,
                        1.2,        1.4142, 1.5,   2.0,        2.5,          3.0,          3.14159265358979,
                        3.9,        4.0,    5.0,   5.9,        6.0,          7.0,          8.0,
                        9.0,        10.0,   17.0,  19.0,       22.0,         37.0,         44.0,
                        87.3,       88.0,   88.72, 89.0,       103.0,        104.0,        106.0,
                        127.0,      128.0,  255.5, 700.0,      709.0,        709.78,       710.0,
                        745.0,      746.0,  750.0, 1000.0,     2147483520.0, 2147483648.0, 1e10}) {
        values.push_back(static_cast<T>(size));
    }
    // tan(pi/8), tan(3*pi/8), and angles that are close to quarters of a turn.
    for (double angle : {0.41421356237309503, 2.4142135623730949, 0.78539816339744828, 1.5707963267948966,
                         4.7123889803846897, 573204.0, 1048576.0, 1647099.0}) {
        values.push_back(static_cast<T>(angle));
    }
    values.insert(values.end(), {Limits::min(), Limits::denorm_min(), Limits::max(), 1 / Limits::epsilon(),
                                 2 / Limits::epsilon(), Limits::min() / 3, Limits::max() / 3});
    for (std::size_t i = values.size(); i-- > 1;) {
        values.insert(values.end(), {std::nextafter(values[i], T(0)), std::nextafter(values[i], Limits::max())});
    }
    values.push_back(Limits::infinity());
    for (std::size_t i = values.size(); i-- > 0;) {
        values.push_back(-values[i]);
    }
    values.push_back(Limits::quiet_NaN());
    return values;
}

}  // namespace tenrex::kernels
