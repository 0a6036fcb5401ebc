#include "lib/program/dense/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenrex::program {

namespace {

constexpr std::size_t bins = 256;

// The mean of the numbers with the ranks count/2 - 1 and count/2, or the one with rank count/2.
double middle_of(double *numbers, std::size_t count) noexcept {
    double *const middle = numbers + count / 2;
    std::nth_element(numbers, middle, numbers + count);
    return count % 2 == 1 ? *middle : (*std::max_element(numbers, middle) + *middle) / 2;
}

}  // namespace

// Selecting by comparisons costs a wrongly predicted branch for most of them. So the numbers are first counted in bins
// between the smallest and the largest, and only those of the bin in the middle are compared.
double median(double *numbers, std::size_t count) noexcept {
    if (count == 0) {
        return 0;
    }
    // Four at a time: each comparison waits for the one before.
    std::array<double, 4> leasts, mosts;
    leasts.fill(numbers[0]);
    mosts.fill(numbers[0]);
    bool has_nan = false;
    for (std::size_t i = 0; i < count; ++i) {
        double &least = leasts[i % 4];
        double &most = mosts[i % 4];
        has_nan |= std::isnan(numbers[i]);
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
    }
    const double least = *std::min_element(leasts.begin(), leasts.end());
    const double most = *std::max_element(mosts.begin(), mosts.end());
    if (has_nan) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double scale = static_cast<double>(bins - 1) / (most - least);
    if (count < 64 || !std::isfinite(scale) || !std::isfinite(most - least)) {
        return middle_of(numbers, count);
    }
    // Rounding keeps the order: a larger number is never in a lower bin.
    const auto bin_of = [&](double number) { return static_cast<std::size_t>((number - least) * scale); };
    std::array<std::uint32_t, bins> counts{};
    for (std::size_t i = 0; i < count; ++i) {
        ++counts[std::min(bin_of(numbers[i]), bins - 1)];
    }
    const std::size_t rank = count / 2;
    std::size_t bin = 0;
    std::size_t below = 0;
    while (below + counts[bin] <= rank) {
        below += counts[bin++];
    }
    // The bin that has the next smaller number, if that is needed and not in the same bin.
    std::size_t lower = bin;
    if (count % 2 == 0 && rank == below) {
        while (counts[--lower] == 0) {
        }
        below -= counts[lower];
    }
    // The numbers of these bins come to stand in front, without a branch for each.
    std::size_t inside = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double number = numbers[i];
        const std::size_t own = std::min(bin_of(number), bins - 1);
        numbers[inside] = number;
        inside += static_cast<std::size_t>(own == bin) | static_cast<std::size_t>(own == lower);
    }
    double *const middle = numbers + (rank - below);
    std::nth_element(numbers, middle, numbers + inside);
    return count % 2 == 1 ? *middle : (*std::max_element(numbers, middle) + *middle) / 2;
}

}  // namespace tenrex::program
