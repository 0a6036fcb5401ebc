// Functions of single cells in double, and of vectors of float in vectors of double.
#pragma once

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

template <class Lanes, class Function>
inline typename Lanes::V by_cell(typename Lanes::V a, typename Lanes::V b, Function function) {
    typename Lanes::V results = {};
    for (std::size_t i = 0; i < Lanes::lanes; ++i) {
        results[i] =
            static_cast<typename Lanes::Scalar>(function(static_cast<double>(a[i]), static_cast<double>(b[i])));
    }
    return results;
}

// compute(lanes, x, y) of vectors of double.
template <class Lanes, class Compute>
inline typename Lanes::V in_double(Compute compute, typename Lanes::V x, typename Lanes::V y) {
    if constexpr (sizeof(typename Lanes::Scalar) == sizeof(float)) {
        using Wide = typename Lanes::Wide;
        return Lanes::join(compute(Wide(), Lanes::low(x), Lanes::low(y)),
                           compute(Wide(), Lanes::high(x), Lanes::high(y)));
    } else {
        return compute(Lanes(), x, y);
    }
}

// The results of a function of most cells, and for the others what it gives in double for each.
template <class Lanes, class Function>
inline typename Lanes::V with_unusual(typename Lanes::V results, typename Lanes::I is_usual, typename Lanes::V a,
                                      typename Lanes::V b, Function function) {
    if (Lanes::all_set(is_usual)) [[likely]] {
        return results;
    }
    return is_usual ? results : by_cell<Lanes>(a, b, function);
}

// The bits of the int8 cell that to_cell() of <tenrex/cell_type.h> makes of a number.
inline unsigned bits_of_i8(double number) {
    if (!(number > -2147483648.0)) {
        return 0;
    }
    return number >= 2147483647.0 ? 0xFF : static_cast<unsigned>(static_cast<std::int32_t>(number)) & 0xFF;
}

inline double bit_of_cell(double a, double number) {
    if (!(number > -1.0 && number < 8.0)) {
        return 0.0;
    }
    return bits_of_i8(a) >> static_cast<int>(number) & 1;
}

inline double hamming_of_cells(double a, double b) {
    unsigned different = bits_of_i8(a) ^ bits_of_i8(b);
    different = (different & 0x55) + (different >> 1 & 0x55);
    different = (different & 0x33) + (different >> 2 & 0x33);
    return (different & 0x0F) + (different >> 4);
}

inline double ldexp_of_cell(double a, double exponent) {
    if (exponent != exponent) {
        return exponent;
    }
    constexpr double most = 5000.0;  // beyond it all has become 0 or infinity
    const double whole = exponent > most ? most : (exponent < -most ? -most : exponent);
    return __builtin_ldexp(a, static_cast<int>(whole));
}

inline double approx_equal_of_cells(double a, double b) {
    if (a == b) {
        return 1.0;
    }
    if (__builtin_fabs(a) > 1.0) {
        return __builtin_nextafterf(static_cast<float>(b / a), 1.0F) == 1.0F;
    }
    const float near = static_cast<float>(a);
    return near == __builtin_nextafterf(static_cast<float>(b), near);
}

}  // namespace
}  // namespace tenrex::kernels
