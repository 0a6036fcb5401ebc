// Which characters make white space, names and bare labels in types, literals and expressions; independent of locales.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenrex {

// What C's isspace() accepts.
constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Names of dimensions in types.
constexpr bool is_name_start(char c) noexcept {
    return is_letter(c) || c == '_';
}
constexpr bool is_name_char(char c) noexcept {
    return is_name_start(c) || is_digit(c);
}
constexpr bool is_name(std::string_view text) noexcept {
    if (text.empty() || !is_name_start(text.front())) {
        return false;
    }
    for (char c : text) {
        if (!is_name_char(c)) {
            return false;
        }
    }
    return true;
}

// Identifiers of expressions; where a value is expected, one that starts with a digit is a number instead.
constexpr bool is_identifier_start(char c) noexcept {
    return is_name_char(c) || c == '@';
}
constexpr bool is_identifier_char(char c) noexcept {
    return is_identifier_start(c) || c == '$';
}

constexpr bool is_quote(char c) noexcept {
    return c == '"' || c == '\'';
}
// A bare label goes up to the first of these.
constexpr bool ends_bare_label(char c) noexcept {
    return is_space(c) || c == ':' || c == ',' || c == '}';
}

// The value of a hexadecimal digit, or -1.
constexpr int hex_digit(char c) noexcept {
    if (is_digit(c)) {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace tenrex
