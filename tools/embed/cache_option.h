// The option --cache of the commands that embed texts.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <tenrex/response_cache.h>

namespace tenrex::tool {

// "64M" and "2G" in bytes. Nothing: it is no size.
std::optional<std::size_t> bytes_of(std::string_view size);
// A line on standard error that tells how often the cache had what was asked for.
void print_statistics(const ResponseCache::Statistics &statistics);

}  // namespace tenrex::tool
