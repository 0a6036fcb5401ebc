// Vectors of floats or doubles in the compilers' portable form, for code that is written once for every width.
#pragma once

#include "lib/kernels/cells-inl.h"

namespace tenrex::kernels {
namespace {

// What needs no instruction of its own. `Integer` is as wide as `T`; comparisons of V give I, with all bits set where
// they hold.
template <class T, class Integer, std::size_t bytes>
struct PortableLanes {
    using Scalar = T;
    typedef T V __attribute__((vector_size(bytes)));  // an alias declaration would lose the attribute
    typedef Integer I __attribute__((vector_size(bytes)));
    static constexpr std::size_t lanes = bytes / sizeof(T);
    static constexpr Integer sign_bit = Integer(1) << (8 * sizeof(Integer) - 1);

    static V all(T value) { return value - V{}; }  // not V{} + value, which would lose the sign of -0
    static I bits(V x) { return __builtin_bit_cast(I, x); }
    static V from_bits(I x) { return __builtin_bit_cast(V, x); }
    static V magnitude(V x) { return from_bits(bits(x) & ~sign_bit); }
    // The magnitude of x with the sign of y.
    static V copy_sign(V x, V y) { return from_bits((bits(x) & ~sign_bit) | (bits(y) & sign_bit)); }

    static V load(const char *cells) {
        V x;
        __builtin_memcpy(&x, cells, bytes);
        return x;
    }
    static void store(char *cells, V x) { __builtin_memcpy(cells, &x, bytes); }
};

}  // namespace
}  // namespace tenrex::kernels
