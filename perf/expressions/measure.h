// Timing in steady state: runs of a least length, their median and their minimum, in time of the processor: what other
// programs take from a shared machine does not count, though they also slow down what is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
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

// What this thread has worked so far.
inline double thread_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// work() does `units` units and is repeated until a run is long enough; the first run, which finds how often that is,
// also warms up and does not count.
template <class Work>
Timing measure(std::size_t units, const Effort &effort, const Work &work) {
    std::size_t repeats = 1;
    for (;;) {
        const double start = thread_seconds();
        for (std::size_t i = 0; i < repeats; ++i) {
            work();
        }
        const double seconds = thread_seconds() - start;
        if (seconds >= effort.run_seconds) {
            break;
        }
        const double wanted = 1.1 * effort.run_seconds / std::max(seconds, 1e-9);
        repeats = static_cast<std::size_t>(static_cast<double>(repeats) * std::min(wanted, 100.0)) + 1;
    }
    std::vector<double> nanoseconds;
    for (std::size_t run = 0; run < effort.runs; ++run) {
        const double start = thread_seconds();
        for (std::size_t i = 0; i < repeats; ++i) {
            work();
        }
        nanoseconds.push_back((thread_seconds() - start) * 1e9 / static_cast<double>(repeats * units));
    }
    std::sort(nanoseconds.begin(), nanoseconds.end());
    return {nanoseconds[nanoseconds.size() / 2], nanoseconds.front(), nanoseconds.back(), nanoseconds.size()};
}

}  // namespace tenrex::perf
