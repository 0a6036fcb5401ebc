// Memory for cells: aligned to 64 bytes and zero. Large pieces cost nothing until they are written to.
#pragma once

#include <cstddef>

namespace tenrex {

// Throws std::bad_alloc if there is not enough memory.
std::byte *allocate_cells(std::size_t bytes);
void release_cells(std::byte *cells) noexcept;

}  // namespace tenrex
