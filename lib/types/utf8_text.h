// Reading and writing the code points of UTF-8 text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenrex/export.h>

namespace tenrex {

// How many bytes the code point takes that the text begins with; 0 if the text does not begin with valid UTF-8.
TENREX_EXPORT std::size_t utf8_length(std::string_view text) noexcept;

// Appends a code point that is no surrogate.
void append_utf8(std::string &out, std::uint32_t code_point);

constexpr bool is_high_surrogate(std::uint32_t unit) noexcept {
    return unit >= 0xD800 && unit < 0xDC00;
}
constexpr bool is_low_surrogate(std::uint32_t unit) noexcept {
    return unit >= 0xDC00 && unit < 0xE000;
}
constexpr std::uint32_t combine_surrogates(std::uint32_t high, std::uint32_t low) noexcept {
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

// The number that the first `count` characters spell in hexadecimal, or -1 if they are fewer or other characters.
std::int32_t hex_number(std::string_view text, std::size_t count) noexcept;

}  // namespace tenrex
