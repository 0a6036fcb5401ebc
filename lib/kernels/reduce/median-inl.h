// The median of a row, by counting: a pass over the row tells how many cells are at most some number, and which cells
// are next to it on both sides. Numbers are tried until the cells in the middle are found. Nothing is moved, and no
// branch depends on a cell.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/median_network-inl.h"
#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

namespace tenrex::kernels {
namespace {

// A finite number, or an infinity, as an integer of the same order, and back.
template <class Number>
struct OrderedBits;
template <>
struct OrderedBits<float> {
    using Bits = std::int32_t;
    static constexpr Bits sign = ~std::int32_t{0x7FFFFFFF};
};
template <>
struct OrderedBits<double> {
    using Bits = std::int64_t;
    static constexpr Bits sign = ~std::int64_t{0x7FFFFFFFFFFFFFFF};
};
template <class Number>
inline auto ordered_bits(Number x) {
    using Bits = typename OrderedBits<Number>::Bits;
    const auto bits = __builtin_bit_cast(Bits, x + Number{});  // there is no -0
    return bits < 0 ? static_cast<Bits>(OrderedBits<Number>::sign - bits) : bits;
}
template <class Number>
inline Number of_ordered_bits(typename OrderedBits<Number>::Bits bits) {
    return __builtin_bit_cast(Number, bits < 0 ? OrderedBits<Number>::sign - bits : bits);
}

// What a row has at most a number, and above it.
template <class Number>
struct Division {
    std::size_t count = 0;  // of the cells at most the number
    Number below = 0;       // the largest of them
    Number above = 0;       // the smallest of the others
};

// What is known of a row before the first pass.
template <class Number>
struct RowRange {
    Number least = 0;
    Number most = 0;
    Number mean = 0;  // about
    bool has_nan = false;
};

// Vectors of a row, from the first to the last, which may be a part: use(vector, which lanes are cells).
template <class Lanes, class C, class Use>
inline void for_each_vector(const C *cells, std::size_t length, const Use &use) {
    using Vector = typename Lanes::Vector;
    constexpr std::size_t lanes = Lanes::lanes;
    const auto all = Vector{} == Vector{};
    std::size_t done = 0;
    for (; length - done >= lanes; done += lanes) {
        use(Lanes::load(cells + done), all);
    }
    if (done < length) {
        const std::size_t count = length - done;
        use(Lanes::load(cells + done, count),
            numbered_lanes<Vector>() < static_cast<typename Lanes::Sum>(count) - Vector{});
    }
}

template <class Lanes, class C>
inline Division<typename Lanes::Sum> divide(const C *cells, std::size_t length, typename Lanes::Sum number) {
    using Vector = typename Lanes::Vector;
    using Number = typename Lanes::Sum;
    const Vector limit = number - Vector{};
    const Vector lowest = static_cast<Number>(-__builtin_inf()) - Vector{};
    const Vector highest = static_cast<Number>(__builtin_inf()) - Vector{};
    Vector below = lowest;
    Vector above = highest;
    auto counts = Vector{} != Vector{};
    for_each_vector<Lanes>(cells, length, [&](Vector x, auto are_cells) {
        const auto at_most = (x <= limit) & are_cells;
        counts -= at_most;
        below = reduction::Maximum::combine(below, at_most ? x : lowest);
        above = reduction::Minimum::combine(above, (x > limit) & are_cells ? x : highest);
    });
    Division<Number> result;
    for (std::size_t i = 0; i < Lanes::lanes; ++i) {
        result.count += static_cast<std::size_t>(counts[i]);
    }
    result.below = join_lanes<reduction::Maximum, Number>(below);
    result.above = join_lanes<reduction::Minimum, Number>(above);
    return result;
}

template <class Lanes, class C>
inline RowRange<typename Lanes::Sum> range_of(const C *cells, std::size_t length) {
    using Vector = typename Lanes::Vector;
    using Number = typename Lanes::Sum;
    const Vector lowest = static_cast<Number>(-__builtin_inf()) - Vector{};
    const Vector highest = static_cast<Number>(__builtin_inf()) - Vector{};
    Vector least = highest;
    Vector most = lowest;
    Vector sum = {};
    auto nans = Vector{} != Vector{};
    for_each_vector<Lanes>(cells, length, [&](Vector x, auto are_cells) {
        least = reduction::Minimum::combine(least, are_cells ? x : highest);
        most = reduction::Maximum::combine(most, are_cells ? x : lowest);
        sum = sum + x;
        nans |= x != x;
    });
    RowRange<Number> result;
    for (std::size_t i = 0; i < Lanes::lanes; ++i) {
        result.has_nan |= nans[i] != 0;
    }
    result.least = join_lanes<reduction::Minimum, Number>(least);
    result.most = join_lanes<reduction::Maximum, Number>(most);
    result.mean = join_lanes<reduction::Sum, Number>(sum) / static_cast<Number>(length);
    return result;
}

template <class Lanes, class C>
inline double median_of_row(const C *cells, std::size_t length) {
    using Number = typename Lanes::Sum;
    constexpr int quick = 2;  // tries, after which every second one halves what is left, however cells lie
    const RowRange<Number> range = range_of<Lanes>(cells, length);
    if (range.has_nan) {
        return __builtin_nan("");
    }
    const std::size_t rank = length / 2;
    const bool is_odd = length % 2 == 1;
    // The cell with that rank is neither below `low` nor above `high`, both cells of the row. `low_count` are below
    // `low`, `high_count` at most `high`.
    Number low = range.least;
    Number high = range.most;
    std::size_t low_count = 0;
    std::size_t high_count = length;
    Number next = range.mean;
    Number tried = low;
    std::size_t tried_count = 0;
    for (int turn = 0; low != high; ++turn) {
        if (turn >= quick && turn % 2 == 1) {
            const auto from = ordered_bits(low);
            const auto to = ordered_bits(high);
            next = of_ordered_bits<Number>((from & to) + ((from ^ to) >> 1));
        } else if (turn > 0 && !(next >= low && next < high)) {
            const auto share =
                static_cast<Number>(2 * (rank - low_count) + 1) / static_cast<Number>(2 * (high_count - low_count));
            next = low + (high - low) * share;
        }
        next = next >= low && next < high ? next : low;
        const Division<Number> division = divide<Lanes>(cells, length, next);
        if (division.count == rank && !is_odd) {
            return middle_of(division.below, division.above, is_odd);
        }
        if (division.count > rank) {
            high = division.below;
            high_count = division.count;
            low = division.count == rank + 1 ? high : low;
        } else {
            low = division.above;
            low_count = division.count;
            high = division.count == rank ? low : high;
        }
        // On the line through this number and the one before.
        const auto ahead = static_cast<Number>(2 * static_cast<std::ptrdiff_t>(rank) + 1 -
                                               2 * static_cast<std::ptrdiff_t>(division.count));
        const auto passed = static_cast<Number>(2 * static_cast<std::ptrdiff_t>(division.count) -
                                                2 * static_cast<std::ptrdiff_t>(tried_count));
        const Number now = next;
        next = now + (now - tried) * (ahead / passed);
        tried = now;
        tried_count = division.count;
    }
    if (is_odd) {
        return middle_of(high, high, is_odd);
    }
    // The one before it is the same, or the largest that is less.
    const Number less = of_ordered_bits<Number>(ordered_bits(high) - 1);
    const Division<Number> division = high > range.least ? divide<Lanes>(cells, length, less) : Division<Number>{};
    const Number before = division.count == rank ? division.below : high;
    return middle_of(before, high, is_odd);
}

template <class Lanes, class C>
inline void medians(const Rows &rows) {
    std::size_t i = 0;
    if (rows.length <= most_cells_in_network && rows.rows >= Lanes::lanes) {
        const SortingNetwork network(rows.length);
        for (; rows.rows - i >= Lanes::lanes; i += Lanes::lanes) {
            medians_of_short_rows<Lanes, C>(rows, i, network);
        }
    }
    for (; i < rows.rows; ++i) {
        rows.out[i] = median_of_row<Lanes>(row<C>(rows.cells, rows.stride_bytes, i), rows.length);
    }
}

}  // namespace
}  // namespace tenrex::kernels
