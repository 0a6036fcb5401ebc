// Counting code points of text that may be UTF-8 or any other bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenrex {

constexpr bool is_continuation_byte(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Code points; every byte that does not continue another counts.
constexpr std::size_t count_code_points(std::string_view text) noexcept {
    std::size_t count = 0;
    for (char c : text) {
        count += !is_continuation_byte(c);
    }
    return count;
}

}  // namespace tenrex
