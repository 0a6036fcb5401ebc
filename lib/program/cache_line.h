// Memory of plans begins with whole lines of the cache.
#pragma once

#include <cstddef>

namespace tenrex::program {

// Vectors that go on into another line of the cache take twice as long to load.
struct alignas(64) CacheLine {
    std::byte bytes[64];
};

// So many bytes, rounded up to whole lines.
constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
    return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine) * sizeof(CacheLine);
}

}  // namespace tenrex::program
