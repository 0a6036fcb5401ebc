// Which labels of a peek are never taken for an expression.
#pragma once

#include <string_view>

#include "lib/syntax/character_class.h"

namespace tenrex::syntax {

// A name, perhaps with dots, or a whole number.
constexpr bool is_plain_label(std::string_view label) noexcept {
    const bool negative = label.starts_with('-');
    label.remove_prefix(negative);
    if (label.empty() || label.front() == '$') {
        return false;
    }
    for (const char c : label) {
        if (!(negative ? is_digit(c) : has_class(c, name_class) || c == '.')) {
            return false;
        }
    }
    return true;
}

}  // namespace tenrex::syntax
