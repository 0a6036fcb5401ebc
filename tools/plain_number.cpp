#include "tools/plain_number.h"

#include <charconv>
#include <cstdlib>
#include <string>

namespace tenrex::tool {

std::optional<double> plain_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || text.empty()) {
        return std::nullopt;
    }
    if (problem == std::errc::result_out_of_range) {  // the value is not set: 0 or infinity
        value = std::strtod(std::string(text).c_str(), nullptr);
    } else if (problem != std::errc()) {
        return std::nullopt;
    }
    return value;
}

}  // namespace tenrex::tool
