// Polynomials whose coefficients begin with the constant term.
#pragma once

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

template <class Lanes, std::size_t n>
inline typename Lanes::V horner(typename Lanes::V x, const typename Lanes::Scalar (&coefficients)[n], std::size_t first,
                                std::size_t step) {
    std::size_t i = first + (n - 1 - first) / step * step;
    typename Lanes::V sum = Lanes::all(coefficients[i]);
    while (i > first) {
        i -= step;
        sum = Lanes::multiply_add(sum, x, Lanes::all(coefficients[i]));
    }
    return sum;
}

// Even and odd powers on their own: one multiplication more, half the waiting.
template <class Lanes, std::size_t n>
inline typename Lanes::V polynomial(typename Lanes::V x, const typename Lanes::Scalar (&coefficients)[n]) {
    const typename Lanes::V square = x * x;
    return Lanes::multiply_add(horner<Lanes>(square, coefficients, 1, 2), x, horner<Lanes>(square, coefficients, 0, 2));
}

}  // namespace
}  // namespace tenrex::kernels
