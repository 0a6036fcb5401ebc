// Timing in steady state: runs of a least length, their median and their minimum.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace tenrex::perf {

struct Timing {
    double median = 0;  // nanoseconds per unit
    double least = 0;
    double worst = 0;
    std::size_t runs = 0;
};

struct Effort {
    std::size_t runs = 9;
    double run_seconds = 0.02;
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// work() does `units` units and is repeated until a run is long enough; the first run, which finds how often that is,
// also warms up and does not count.
template <class Work>
Timing measure(std::size_t units, const Effort &effort, const Work &work) {
    std::size_t repeats = 1;
    for (;;) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < repeats; ++i) {
            work();
        }
        const double seconds = seconds_since(start);
        if (seconds >= effort.run_seconds) {
            break;
        }
        const double wanted = 1.1 * effort.run_seconds / std::max(seconds, 1e-9);
        repeats = static_cast<std::size_t>(static_cast<double>(repeats) * std::min(wanted, 100.0)) + 1;
    }
    std::vector<double> nanoseconds;
    for (std::size_t run = 0; run < effort.runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < repeats; ++i) {
            work();
        }
        nanoseconds.push_back(seconds_since(start) * 1e9 / static_cast<double>(repeats * units));
    }
    std::sort(nanoseconds.begin(), nanoseconds.end());
    return {nanoseconds[nanoseconds.size() / 2], nanoseconds.front(), nanoseconds.back(), nanoseconds.size()};
}

}  // namespace tenrex::perf
