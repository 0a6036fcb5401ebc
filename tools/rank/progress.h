// A line on the terminal that tells how far a long operation is. It is gone when the operation ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tenrex::tool {

class Progress {
public:
    explicit Progress(std::string_view unit = "documents") : unit_(unit) {}

    // bytes_total: 0 if it is not known. Called as often as one likes; prints a few times a second.
    void show(std::size_t count, std::uint64_t bytes, std::uint64_t bytes_total);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    Clock::time_point latest_ = start_;
    bool shown_ = false;
    std::string_view unit_;
};

}  // namespace tenrex::tool
