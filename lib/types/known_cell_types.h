// The rows of <tenrex/cell_types.def> as hints list them.
#pragma once

#include <string>
#include <string_view>

namespace tenrex {

// "the cell types are double, float, bfloat16, int8"
inline std::string known_cell_types() {
    constexpr std::string_view listed =
#define TENREX_CELL_TYPE(id, name, storage, wire) ", " name
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
        ;
    return "the cell types are " + std::string(listed.substr(2));
}

// "0 is double, 1 is float, 2 is bfloat16, 3 is int8": what the numbers of the typed binary format stand for.
inline std::string known_wire_ids() {
    constexpr std::string_view listed =
#define TENREX_CELL_TYPE(id, name, storage, wire) ", " #wire " is " name
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE
        ;
    return std::string(listed.substr(2));
}

}  // namespace tenrex
