#include "lib/program/forest/cuts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lib/kernels/forest/forest.h"
#include "lib/program/sort_by_bytes.h"
#include "lib/support/float_range.h"

namespace tenrex::program {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Cut beyond_all = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// The numbers that are a member once their fractions are dropped.
CutRange truncated_to(double member) noexcept {
    if (std::trunc(member) != member) {
        return {member, member};
    }
    const Cut from = member > 0 ? member : cut_above(member - 1);
    const Cut to = member < 0 ? cut_above(member) : std::max(member + 1, cut_above(member));
    return {std::min(from, member), member == infinity ? beyond_all : to};
}

CutRange range_of(const forest::Split &split) noexcept {
    switch (split.test) {
        case forest::Test::less:
            return {-infinity, split.threshold};
        case forest::Test::less_equal:
            return {-infinity, cut_above(split.threshold)};
        case forest::Test::equal:
        case forest::Test::in_set:
            return {split.threshold, cut_above(split.threshold)};
    }
    __builtin_unreachable();
}

void add_range(CutRange range, bool as_float, std::vector<CutRange> &ranges) {
    if (as_float) {
        range = {float_from(range.from), float_from(range.to)};
    }
    if (!IsBefore()(range.from, range.to)) {
        return;
    }
    if (!ranges.empty() && !IsBefore()(ranges.back().to, range.from)) {
        ranges.back().to = range.to;
    } else {
        ranges.push_back(range);
    }
}

}  // namespace

Cut cut_above(double number) noexcept {
    return number == infinity ? beyond_all : std::nextafter(number, infinity);
}

void find_ranges(const forest::Forest &forest, const forest::Split &split, bool as_float,
                 std::vector<CutRange> &ranges) {
    ranges.clear();
    if (split.test != forest::Test::in_set) {
        if (!std::isnan(split.threshold)) {
            add_range(range_of(split), as_float, ranges);
        }
        return;
    }
    const forest::NumberSet &set = forest.sets[split.set];
    for (const double member : set.members) {
        CutRange range = set.truncates ? truncated_to(member) : CutRange{member, cut_above(member)};
        range.from = set.only_from_zero ? std::max(range.from, 0.0) : range.from;
        add_range(range, as_float, ranges);
    }
}

CutRange zero_range(bool as_float) noexcept {
    constexpr double largest_zero = 1e-35F;
    const CutRange zeros{-largest_zero, cut_above(largest_zero)};
    return as_float ? CutRange{float_from(zeros.from), float_from(zeros.to)} : zeros;
}

// The bits of doubles are in their order once those of numbers below 0 are turned round.
std::uint64_t key_of(Cut cut) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(cut == 0 ? 0.0 : cut);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

void Cuts::finish() {
    if (!std::is_sorted(keys_.begin(), keys_.end())) {
        sort_by_bytes(keys_, [](std::uint64_t key) { return key; });
    }
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

std::uint32_t Cuts::find(Cut cut) const noexcept {
    return static_cast<std::uint32_t>(std::lower_bound(keys_.begin(), keys_.end(), key_of(cut)) - keys_.begin());
}

std::uint32_t Cuts::find_from(std::uint32_t last, Cut cut) const noexcept {
    for (const std::uint64_t key = key_of(cut); keys_[last] != key;) {
        ++last;
    }
    return last;
}

template <class T>
std::vector<std::uint32_t> Cuts::append_levels(std::vector<T> &numbers) const {
    constexpr std::size_t group = kernels::ForestFeature::group;
    constexpr T none = std::numeric_limits<T>::quiet_NaN();
    std::vector<std::uint32_t> levels;
    std::vector<T> level(keys_.size());
    std::transform(keys_.begin(), keys_.end(), level.begin(), [](std::uint64_t key) {
        return static_cast<T>(std::bit_cast<Cut>((key & sign_bit) != 0 ? key & ~sign_bit : ~key));
    });
    while (true) {
        // There is a NaN at the end of the last group, so that the search never goes beyond it.
        const std::size_t groups = level.size() / group + 1;
        level.resize(groups * group, none);
        levels.insert(levels.begin(), static_cast<std::uint32_t>(numbers.size()));
        numbers.insert(numbers.end(), level.begin(), level.end());
        if (groups == 1) {
            return levels;
        }
        for (std::size_t i = 0; i < groups; ++i) {
            level[i] = level[i * group + group - 1];
        }
        level.resize(groups - 1);  // the last is NaN, and comes back
    }
}

template std::vector<std::uint32_t> Cuts::append_levels(std::vector<double> &) const;
template std::vector<std::uint32_t> Cuts::append_levels(std::vector<float> &) const;

}  // namespace tenrex::program
