// What all vectors of 128 bits of floats or doubles have in common.
#pragma once

#include "lib/kernels/simd/lanes-inl.h"

namespace tenrex::kernels {
namespace {

template <class T>
struct Lanes128 : PortableLanes<T, 16> {
    using Base = PortableLanes<T, 16>;
    using V = typename Base::V;

    // The larger and the smaller number; y if one of them is NaN or both are 0.
    static V larger(V x, V y) { return x > y ? x : y; }
    static V smaller(V x, V y) { return x < y ? x : y; }

    using Base::load;
    using Base::store;
    static V load(const char *cells, std::size_t count) {
        V x = {};
        for (std::size_t i = 0; i + 1 < Base::lanes; ++i) {
            if (i < count) {
                __builtin_memcpy(reinterpret_cast<char *>(&x) + i * sizeof(T), cells + i * sizeof(T), sizeof(T));
            }
        }
        return x;
    }
    static void store(char *cells, V x, std::size_t count) {
        for (std::size_t i = 0; i + 1 < Base::lanes; ++i) {
            if (i < count) {
                __builtin_memcpy(cells + i * sizeof(T), reinterpret_cast<const char *>(&x) + i * sizeof(T), sizeof(T));
            }
        }
    }
};

}  // namespace
}  // namespace tenrex::kernels
