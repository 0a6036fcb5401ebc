// A number as tables and lists write it.
#pragma once

#include <optional>
#include <string_view>

namespace tenrex::tool {

// A decimal number, "nan" or "inf", perhaps with a sign; nothing of any other text. What is too large is an infinity,
// too small 0.
std::optional<double> plain_number(std::string_view text);

}  // namespace tenrex::tool
