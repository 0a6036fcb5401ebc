#include "lib/storage/cell_memory.h"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace tenrex {

namespace {

constexpr std::size_t alignment = 64;

}  // namespace

// calloc, unlike aligned_alloc, gets pages from the system that are zero already. What it returned stands right in
// front of the cells.
std::byte *allocate_cells(std::size_t bytes) {
    constexpr std::size_t extra = alignment + sizeof(void *);
    void *const memory =
        bytes > std::numeric_limits<std::size_t>::max() - extra ? nullptr : std::calloc(bytes + extra, 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory) + sizeof(void *);
    const std::uintptr_t aligned = (address + alignment - 1) & ~(alignment - 1);
    auto *const cells = static_cast<std::byte *>(memory) + (aligned - reinterpret_cast<std::uintptr_t>(memory));
    reinterpret_cast<void **>(cells)[-1] = memory;
    return cells;
}

void release_cells(std::byte *cells) noexcept {
    if (cells != nullptr) {
        std::free(reinterpret_cast<void **>(cells)[-1]);
    }
}

}  // namespace tenrex
