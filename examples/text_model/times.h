// How long things took: quantiles of many times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace tenrex::examples {

// The smallest number that at least this part of them does not exceed; they must be sorted.
inline double quantile(const std::vector<double> &numbers, double part) {
    const auto place = static_cast<std::size_t>(part * static_cast<double>(numbers.size()));
    return numbers.empty() ? 0 : numbers[std::min(place, numbers.size() - 1)];
}

inline void print_times(std::FILE *out, const char *what, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    std::fprintf(out, "%-10s p50 %8.3f ms   p90 %8.3f ms   p99 %8.3f ms   max %8.3f ms\n", what,
                 quantile(seconds, 0.5) * 1e3, quantile(seconds, 0.9) * 1e3, quantile(seconds, 0.99) * 1e3,
                 quantile(seconds, 1) * 1e3);
}

}  // namespace tenrex::examples
