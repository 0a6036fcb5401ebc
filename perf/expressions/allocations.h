// Counts what a program allocates: a measure of work that needs no clock. Programs with sanitizers cannot have it.
#pragma once

#include <cstddef>

namespace tenrex::perf {

struct Allocations {
    std::size_t count = 0;
    std::size_t bytes = 0;
};

// Since the program began, by all threads.
Allocations allocations() noexcept;

}  // namespace tenrex::perf
