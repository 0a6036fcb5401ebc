// What the aggregators keep while they take one cell after the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenrex::plan {

// An accumulator starts from nothing, takes cells, and is asked for its result once; over nothing that is 0.
struct SumOf {
    double total = 0;
    void add(double cell) noexcept { total += cell; }
    double result() const noexcept { return total; }
};
struct AverageOf {
    double total = 0;
    std::uint64_t count = 0;
    void add(double cell) noexcept {
        total += cell;
        ++count;
    }
    double result() const noexcept { return count == 0 ? 0 : total / static_cast<double>(count); }
};
struct CountOf {
    std::uint64_t count = 0;
    void add(double) noexcept { ++count; }
    double result() const noexcept { return static_cast<double>(count); }
};
struct ProductOf {
    double total = 1;
    bool any = false;
    void add(double cell) noexcept {
        total *= cell;
        any = true;
    }
    double result() const noexcept { return any ? total : 0; }
};
// NaN cells are passed over, unless there are no others.
template <bool largest>
struct ExtremeOf {
    double best = std::numeric_limits<double>::quiet_NaN();
    bool any = false;
    void add(double cell) noexcept {
        if (std::isnan(best) || (largest ? cell > best : cell < best)) {
            best = cell;
        }
        any = true;
    }
    double result() const noexcept { return any ? best : 0; }
};

// The middle of the cells, which it reorders: NaN if one of them is, 0 over nothing.
inline double median(double *begin, double *end) noexcept {
    if (begin == end) {
        return 0;
    }
    if (std::any_of(begin, end, [](double cell) { return std::isnan(cell); })) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    double *const middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end);
    return (end - begin) % 2 == 1 ? *middle : (*std::max_element(begin, middle) + *middle) / 2;
}

}  // namespace tenrex::plan
