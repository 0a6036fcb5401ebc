// What this machine can do at most: the roofline that figures are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tenrex::perf {

struct CacheLevel {
    std::string name;                  // "L1", "L2", "L3", "memory"
    std::size_t bytes = 0;             // 0: without limit
    double load_bytes_per_second = 0;  // of one thread that reads forwards
};

struct Peaks {
    double flops_per_second = 0;     // of one thread: multiplications and additions of floats
    std::vector<CacheLevel> levels;  // the fastest first

    // The fastest level that holds so many bytes.
    const CacheLevel &level_of(std::size_t bytes) const;
    // Seconds that a thread needs at least for so much work on data that lies in that level.
    double least_seconds(double flops, double bytes, const CacheLevel &level) const;
};

// Measures for about a tenth of a second; the first call only.
const Peaks &machine_peaks();

}  // namespace tenrex::perf
