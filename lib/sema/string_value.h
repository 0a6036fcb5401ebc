// The number that a string stands for when it is used as a value.
#pragma once

#include <string_view>

namespace tenrex::sema {

// XXH3-64 of the bytes taken as an IEEE double; never a NaN or infinity. Equal strings give equal numbers; only ==, !=
// and `in` are meaningful on them.
double string_value(std::string_view text) noexcept;

}  // namespace tenrex::sema
