// Whether tests are to be content with fewer cases.
#pragma once

#include <cstdlib>

namespace tenrex {

// An emulator takes minutes for all of them, and sanitizers take one: TENREX_FEW_CASES is in the environment of those.
inline bool few_cases() {
    return std::getenv("TENREX_FEW_CASES") != nullptr;  // NOLINT(concurrency-mt-unsafe): nobody changes it
}

}  // namespace tenrex
