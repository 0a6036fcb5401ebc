// The numbers of the typed binary format that its reader and its writer share.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tenrex/cell_type.h>

namespace tenrex::binary {

// The kind of a value: which parts its type has.
inline constexpr std::uint32_t sparse_part = 1;
inline constexpr std::uint32_t dense_part = 2;
inline constexpr std::uint32_t explicit_cell_type = 4;

inline constexpr std::uint32_t long_count = 0x80000000;  // marks a count of four bytes; shorter ones are below 0x80

constexpr std::uint32_t wire_id(CellType type) noexcept {
    constexpr std::uint32_t ids[] = {
#define TENREX_CELL_TYPE(id, name, storage, wire) wire,
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
    };
    return ids[static_cast<std::size_t>(type)];
}

}  // namespace tenrex::binary
