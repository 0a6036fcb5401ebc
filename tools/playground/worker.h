// Answers requests in processes of their own, so that none can take more time or memory than it may, whatever it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenrex::tool {

struct RequestLimits {
    std::uint64_t seconds = 5;
    std::uint64_t megabytes = 1024;
};

inline constexpr std::size_t most_request_bytes = std::size_t{1} << 20;
inline constexpr std::size_t most_answer_bytes = std::size_t{32} << 20;

// The answer of `tenrex playground --answer` to the request, or why there is none.
std::string answer_apart(std::string_view request, const RequestLimits &limits);

// Keeps this process within the limits from now on. What they were applied to is answer_request().
void keep_limits(const RequestLimits &limits);

}  // namespace tenrex::tool
