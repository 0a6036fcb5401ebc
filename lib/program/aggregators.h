// What the aggregators keep while they take one cell after the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

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
        // Both are looked at: a branch would often be guessed wrong.
        const bool none = std::isnan(best);
        const bool better = largest ? cell > best : cell < best;
        best = (none | better) ? cell : best;
        any = true;
    }
    double result() const noexcept { return any ? best : 0; }
};

// Calls visit(accumulator) with a new one; not for the median, which needs all cells at once.
template <class Visit>
void with_accumulator(Aggregator aggregator, const Visit &visit) {
    switch (aggregator) {
        case Aggregator::avg:
            return visit(AverageOf{});
        case Aggregator::count:
            return visit(CountOf{});
        case Aggregator::max:
            return visit(ExtremeOf<true>{});
        case Aggregator::min:
            return visit(ExtremeOf<false>{});
        case Aggregator::prod:
            return visit(ProductOf{});
        case Aggregator::sum:
            return visit(SumOf{});
        case Aggregator::median:
            break;
    }
    __builtin_unreachable();
}

}  // namespace tenrex::program
