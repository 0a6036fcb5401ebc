// What cells are found by that are the same: a hash of 128 bits that nobody outside can foresee.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenrex {

std::array<std::uint64_t, 2> cells_hash(const void *cells, std::size_t bytes) noexcept;

}  // namespace tenrex
