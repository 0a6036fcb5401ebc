// The instruction sets that a test goes through.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "lib/kernels/isa.h"

namespace tenrex {

// Those of the levels (CompileOptions::max_isa) that mean different instruction sets on this machine: without AVX-512
// "native" is "avx2", and would only repeat it.
//
//   for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) ...
inline std::vector<const char *> distinct_isas(std::initializer_list<const char *> levels) {
    std::vector<const char *> result;
    std::vector<kernels::Isa> seen;
    for (const char *level : levels) {
        const kernels::Isa isa = *kernels::isa_level(level) & kernels::allowed_isa();
        if (std::ranges::find(seen, isa) == seen.end()) {
            seen.push_back(isa);
            result.push_back(level);
        }
    }
    return result;
}

}  // namespace tenrex
