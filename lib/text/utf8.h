// Texts as valid UTF-8.
#pragma once

#include <string_view>

#include "lib/text/aligned_text.h"

namespace tenrex::text {

bool is_valid_utf8(std::string_view text) noexcept;
bool is_ascii(std::string_view text) noexcept;

// The text with U+FFFD in place of each byte that is no part of a code point.
void assign_repaired(std::string_view text, AlignedText &out);

}  // namespace tenrex::text
