// Bytes as characters: GPT-2 gives each of the 256 bytes a character that can be printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenrex::text {

// The character of a byte.
char32_t character_of_byte(std::uint8_t byte) noexcept;
// The bytes that a token stands for; nothing if it has characters that stand for none.
std::optional<std::string> bytes_of_token(std::string_view token);

}  // namespace tenrex::text
