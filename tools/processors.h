// How many threads are worth starting.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tenrex::tool {

// The processors that the process may run on, or fewer if its control group has a quota of less; at least 1.
std::size_t usable_processors();

// How many processors a quota is worth, rounded up: the contents of a file cpu.max, such as "150000 100000". None if it
// sets no limit or says something else.
std::optional<std::size_t> quota_of(std::string_view cpu_max);

}  // namespace tenrex::tool
