// Ranges of numbers that a split passes, and their ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/forest/forest.h"

namespace tenrex::program {

// A cut lies just below a number, or beyond all of them: then it is NaN.
using Cut = double;

// The numbers from one cut to another.
struct CutRange {
    Cut from;
    Cut to;

    friend bool operator==(const CutRange &, const CutRange &) = default;
};

// Whether one cut comes before another.
struct IsBefore {
    bool operator()(Cut a, Cut b) const noexcept { return a < b || (a == a && b != b); }
};
// Just above a number.
Cut cut_above(double number) noexcept;

// The ranges that a split passes, ascending, with gaps between them, and none empty. as_float: of numbers that are
// floats, so the cuts are, too. What is missing is not asked for.
void find_ranges(const forest::Forest &forest, const forest::Split &split, bool as_float,
                 std::vector<CutRange> &ranges);

// What counts as zero where zeros are missing.
CutRange zero_range(bool as_float) noexcept;

// Whole numbers in the order of their cuts; equal cuts have the same.
std::uint64_t key_of(Cut cut) noexcept;

// The cuts of a feature, ascending, none twice.
class Cuts {
public:
    void add(Cut cut) { keys_.push_back(key_of(cut)); }
    void finish();

    std::size_t size() const noexcept { return keys_.size(); }
    // The number of a cut that is there.
    std::uint32_t find(Cut cut) const noexcept;
    // The same for a cut that does not come before the one with the number `last`.
    std::uint32_t find_from(std::uint32_t last, Cut cut) const noexcept;
    // Puts the levels of kernels::ForestFeature behind what is there; where each begins.
    template <class T>
    std::vector<std::uint32_t> append_levels(std::vector<T> &numbers) const;

private:
    std::vector<std::uint64_t> keys_;
};

}  // namespace tenrex::program
