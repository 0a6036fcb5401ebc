#include "lib/types/utf8_text.h"

#include "lib/support/utf8.h"
#include "lib/types/characters.h"

namespace tenrex {

std::size_t utf8_length(std::string_view text) noexcept {
    if (text.empty()) {
        return 0;
    }
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation_byte(text[i])) {
            return 0;
        }
    }
    // Overlong forms, surrogates, and what lies beyond the last code point.
    const auto second = static_cast<unsigned char>(text[1]);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F)) {
        return 0;
    }
    return length;
}

void append_utf8(std::string &out, std::uint32_t code_point) {
    const auto continuation = [&](unsigned shift) { out += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
    if (code_point < 0x80) {
        out += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        out += static_cast<char>(0xC0 | (code_point >> 6));
        continuation(0);
    } else if (code_point < 0x10000) {
        out += static_cast<char>(0xE0 | (code_point >> 12));
        continuation(6);
        continuation(0);
    } else {
        out += static_cast<char>(0xF0 | (code_point >> 18));
        continuation(12);
        continuation(6);
        continuation(0);
    }
}

std::int32_t hex_number(std::string_view text, std::size_t count) noexcept {
    if (text.size() < count) {
        return -1;
    }
    std::int32_t number = 0;
    for (char c : text.substr(0, count)) {
        const int digit = hex_digit(c);
        if (digit < 0) {
            return -1;
        }
        number = number * 16 + digit;
    }
    return number;
}

}  // namespace tenrex
