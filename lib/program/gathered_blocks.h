// Blocks in the order in which a kernel takes them in one go.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::program {

// The blocks with these numbers: where they are if they follow each other, else copies in the room.
const std::byte *blocks_in_order(const std::byte *cells, std::size_t block_bytes, const std::uint32_t *numbers,
                                 std::size_t count, std::byte *room) noexcept;

// Each of these cells, floats or doubles, as often as `copies` says. numbers: null for the first ones.
void repeat_cells(const std::byte *cells, std::size_t cell_bytes, const std::uint32_t *numbers, std::size_t count,
                  std::size_t copies, std::byte *room) noexcept;

}  // namespace tenrex::program
