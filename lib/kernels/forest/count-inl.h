// Counting in the compilers' portable form.
#pragma once

#include "lib/kernels/forest/forest-inl.h"

namespace tenrex::kernels {
namespace {

// How many of the numbers of a group are not above one. They ascend, so those are the first ones. Nothing branches:
// which way a number goes cannot be foreseen.
struct CountByHalves {
    template <class T>
    std::uint32_t operator()(const T *group, T number) const {
        std::uint32_t count = 0;
        for (std::uint32_t bit = 3; bit < 4; --bit) {
            const std::uint32_t half = 1U << bit;
            count += static_cast<std::uint32_t>(group[count + half - 1] <= number) << bit;
        }
        return count + static_cast<std::uint32_t>(group[count] <= number);
    }
};

}  // namespace
}  // namespace tenrex::kernels
