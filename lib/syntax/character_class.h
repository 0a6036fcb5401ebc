// The character classes of lib/types/characters.h as a table, for the inner loops of the scanner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/types/characters.h"

namespace tenrex::syntax {

enum CharacterClass : std::uint8_t {
    name_start_class = 1,  // may begin a name where a value is expected
    name_class = 2,        // may stand inside a name
    label_end_class = 4,   // ends a label without quotes
};

inline constexpr std::array<std::uint8_t, 256> character_classes = [] {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const char c = static_cast<char>(i);
        table[i] = static_cast<std::uint8_t>((is_identifier_start(c) && !is_digit(c) ? name_start_class : 0) |
                                             (is_identifier_char(c) ? name_class : 0) |
                                             (ends_bare_label(c) ? label_end_class : 0));
    }
    return table;
}();

// Whether the character belongs to the class.
constexpr bool has_class(char c, CharacterClass which) noexcept {
    return (character_classes[static_cast<unsigned char>(c)] & which) != 0;
}

}  // namespace tenrex::syntax
