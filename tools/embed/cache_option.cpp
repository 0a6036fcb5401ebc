#include "tools/embed/cache_option.h"

#include <charconv>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/output.h"

namespace tenrex::tool {

std::optional<std::size_t> bytes_of(std::string_view size) {
    constexpr std::string_view units = "KMG";
    const std::size_t unit = size.empty() ? std::string_view::npos : units.find(size.back());
    const unsigned shift = unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    size.remove_suffix(shift == 0 ? 0 : 1);
    std::size_t number = 0;
    const auto read = std::from_chars(size.data(), size.data() + size.size(), number);
    const bool is_size = !size.empty() && read.ec == std::errc() && read.ptr == size.data() + size.size() &&
                         number <= std::numeric_limits<std::size_t>::max() >> shift;
    return is_size ? std::optional(number << shift) : std::nullopt;
}

void print_statistics(const ResponseCache::Statistics &statistics) {
    Output out(STDERR_FILENO);
    out.write(fmt::format("cache: {} hits, {} misses, {} vectors in {} bytes\n", statistics.hits, statistics.misses,
                          statistics.answers, statistics.bytes));
    out.flush();
}

}  // namespace tenrex::tool
