// Whole numbers without sign: sizes and indexes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lib/types/characters.h"

namespace tenrex::syntax {

// The number of decimal digits, or the largest number if it is larger; nothing if there are other characters.
inline std::optional<std::uint64_t> decimal(std::string_view digits) {
    std::uint64_t value = 0;
    bool overflow = false;
    for (const char digit : digits) {
        if (!is_digit(digit)) {
            return std::nullopt;
        }
        overflow = overflow || __builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
                   __builtin_add_overflow(value, static_cast<std::uint64_t>(digit - '0'), &value);
    }
    return digits.empty() ? std::nullopt : std::optional(overflow ? ~std::uint64_t{0} : value);
}

}  // namespace tenrex::syntax
