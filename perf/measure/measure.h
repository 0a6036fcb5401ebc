// Timing in steady state: runs of a least length, their median and their minimum, in time of the processor: what other
// programs take from a shared machine does not count, though they also slow down what is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <utility>
#include <vector>

namespace tenrex::perf {

struct Timing {
    Timing() = default;
    explicit Timing(std::vector<double> runs) : samples(std::move(runs)) {
        std::vector<double> sorted = samples;
        std::sort(sorted.begin(), sorted.end());
        if (!sorted.empty()) {
            median = sorted[sorted.size() / 2];
            least = sorted.front();
            worst = sorted.back();
        }
    }

    std::vector<double> samples;  // nanoseconds per unit of each run, in their order
    double median = 0;
    double least = 0;
    double worst = 0;
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

// run(repeats) does `units` units so many times and gives the seconds that this took. The first runs, which find how
// often that must be, also warm up and do not count.
template <class Run>
Timing measure_runs(std::size_t units, const Effort &effort, const Run &run) {
    std::size_t repeats = 1;
    for (;;) {
        const double seconds = run(repeats);
        if (seconds >= effort.run_seconds) {
            break;
        }
        const double wanted = 1.1 * effort.run_seconds / std::max(seconds, 1e-9);
        repeats = static_cast<std::size_t>(static_cast<double>(repeats) * std::min(wanted, 100.0)) + 1;
    }
    std::vector<double> nanoseconds;
    for (std::size_t i = 0; i < effort.runs; ++i) {
        nanoseconds.push_back(run(repeats) * 1e9 / static_cast<double>(repeats * units));
    }
    return Timing(std::move(nanoseconds));
}

// The same for work() on one thread.
template <class Work>
Timing measure(std::size_t units, const Effort &effort, const Work &work) {
    return measure_runs(units, effort, [&](std::size_t repeats) {
        const double start = thread_seconds();
        for (std::size_t i = 0; i < repeats; ++i) {
            work();
        }
        return thread_seconds() - start;
    });
}

}  // namespace tenrex::perf
