// Finds labels among those of a document.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <tenrex/label.h>

namespace tenrex::program {

// Where each of the wanted labels is among labels in ascending order, of which there is at least one; elsewhere
// something below `count` if it is not there. The searches go on side by side and take no branch that depends on the
// labels.
template <std::size_t lanes>
std::array<std::size_t, lanes> search_sorted(const Label *labels, std::size_t count, const Label *wanted) noexcept {
    std::array<std::size_t, lanes> found;
    const std::size_t last = count - 1;
    const auto lowest = static_cast<std::uint64_t>(labels[0]);
    if (static_cast<std::uint64_t>(labels[last]) - lowest == last) {
        // Numbers in a row are where they say. What is below them wraps around, and so is beyond them.
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            found[lane] = std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted[lane]) - lowest, last);
        }
        return found;
    }
    const Label *first[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        first[lane] = labels;
    }
    while (count > 1) {
        const std::size_t half = count / 2;
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const Label *const middle = first[lane] + half;
            first[lane] = *middle <= wanted[lane] ? middle : first[lane];
        }
        count -= half;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        found[lane] = static_cast<std::size_t>(first[lane] - labels);
    }
    return found;
}

// Whether to look for each of `few` labels among `many` that ascend, rather than the other way round.
inline bool is_better_searched(std::size_t few, std::size_t many) noexcept {
    return few * static_cast<std::size_t>(std::bit_width(many)) < many;
}

// The position of a label among `count`, or count if it is not there. sorted: they are in ascending order.
inline std::size_t find_label(const Label *labels, std::size_t count, Label wanted, bool sorted) noexcept {
    if (sorted && count != 0) {
        const std::size_t found = search_sorted<1>(labels, count, &wanted)[0];
        return labels[found] == wanted ? found : count;
    }
    // A branch for each label would be guessed wrong more often than not comparing the rest is worth.
    constexpr std::size_t lanes = 16;
    std::size_t begin = 0;
    for (; begin + lanes <= count; begin += lanes) {
        std::size_t even = count;
        std::size_t odd = count;
        for (std::size_t i = begin; i < begin + lanes; i += 2) {
            even = labels[i] == wanted ? i : even;
            odd = labels[i + 1] == wanted ? i + 1 : odd;
        }
        const std::size_t found = even < odd ? even : odd;
        if (found != count) {
            return found;
        }
    }
    std::size_t found = count;
    for (; begin < count; ++begin) {
        found = labels[begin] == wanted ? begin : found;
    }
    return found;
}

}  // namespace tenrex::program
