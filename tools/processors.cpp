#include "tools/processors.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <thread>

namespace tenrex::tool {

namespace {

// Of the control group and of those around it, each of which may have a quota. Those of the first version have none
// here.
std::size_t least_quota(std::size_t processors) {
    std::ifstream groups("/proc/self/cgroup");
    constexpr std::string_view second_version = "0::";
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with(second_version)) {
            continue;
        }
        for (std::string path = line.substr(second_version.size());; path.resize(path.rfind('/'))) {
            std::ifstream file("/sys/fs/cgroup" + path + "/cpu.max");
            if (std::string limit; std::getline(file, limit)) {
                processors = std::min(processors, quota_of(limit).value_or(processors));
            }
            if (path.find('/') == std::string::npos) {
                break;
            }
        }
    }
    return processors;
}

}  // namespace

std::optional<std::size_t> quota_of(std::string_view cpu_max) {
    std::size_t quota = 0;
    std::size_t period = 0;
    const char *const end = cpu_max.data() + cpu_max.size();
    const auto [behind, problem] = std::from_chars(cpu_max.data(), end, quota);
    if (problem != std::errc() || behind == end || *behind != ' ' ||
        std::from_chars(behind + 1, end, period).ec != std::errc() || period == 0) {
        return std::nullopt;
    }
    return std::max<std::size_t>(1, quota / period + (quota % period != 0 ? 1 : 0));
}

std::size_t usable_processors() {
    cpu_set_t set;
    const bool is_known = ::sched_getaffinity(0, sizeof(set), &set) == 0;  // not where there are more than 1024
    const auto count = is_known ? static_cast<std::size_t>(CPU_COUNT(&set)) : std::thread::hardware_concurrency();
    return least_quota(std::max<std::size_t>(1, count));
}

}  // namespace tenrex::tool
