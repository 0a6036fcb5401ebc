// The medians of several short rows at once, each in a lane: a network of comparisons sorts all lanes, whatever they
// hold. It is Batcher's merge exchange, which works for any number of cells (Knuth, The Art of Computer Programming,
// volume 3, algorithm 5.2.2M).
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

namespace tenrex::kernels {
namespace {

// Rows of more cells take less time one by one.
inline constexpr std::size_t most_cells_in_network = 32;

// Which cells are compared, in this order, to sort so many.
struct SortingNetwork {
    struct Pair {
        std::uint8_t first, second;
    };
    static constexpr std::size_t most_pairs = 191;  // of 32 cells

    explicit SortingNetwork(std::size_t cells) {
        std::size_t top = 1;
        while (2 * top < cells) {
            top *= 2;
        }
        for (std::size_t step = top; step > 0; step /= 2) {
            std::size_t offset = 0;
            std::size_t distance = step;
            for (std::size_t merged = top;; merged /= 2) {
                for (std::size_t i = 0; i + distance < cells; ++i) {
                    if ((i & step) == offset) {
                        pairs[count++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i + distance)};
                    }
                }
                if (merged == step) {
                    break;
                }
                distance = merged - step;
                offset = step;
            }
        }
    }

    template <class Vector>
    void sort(Vector *cells) const {
        for (std::size_t i = 0; i < count; ++i) {
            Vector *const first = cells + pairs[i].first;
            Vector *const second = cells + pairs[i].second;
            const Vector a = *first;
            const Vector b = *second;
            *first = reduction::Minimum::combine(a, b);
            *second = reduction::Maximum::combine(a, b);
        }
    }

    Pair pairs[most_pairs];
    std::size_t count = 0;
};

// The mean of the two cells in the middle of a sorted row of even length, or the one there. It is never -0: which of
// two zeros comes first depends on how rows are sorted.
template <class Number>
inline double middle_of(Number before, Number middle, bool is_odd) {
    const auto at = static_cast<double>(middle);
    return (is_odd ? at : (static_cast<double>(before) + at) / 2) + 0.0;
}

// Of as many rows as there are lanes, from one of them on.
template <class Lanes, class C>
inline void medians_of_short_rows(const Rows &rows, std::size_t first, const SortingNetwork &network) {
    using Vector = typename Lanes::Vector;
    using Number = typename Lanes::Sum;
    constexpr std::size_t lanes = Lanes::lanes;
    const std::size_t length = rows.length;
    Number numbers[most_cells_in_network * lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const C *const cells = row<C>(rows.cells, rows.stride_bytes, first + lane);
        for (std::size_t i = 0; i < length; ++i) {
            numbers[i * lanes + lane] = static_cast<Number>(cells[i].value);
        }
    }
    Vector cells[most_cells_in_network];
    // All at once: a vector that is read right after its lanes were written waits for them.
    __builtin_memcpy(cells, numbers, length * sizeof(Vector));
    auto nans = Vector{} != Vector{};
    for (std::size_t i = 0; i < length; ++i) {
        nans |= cells[i] != cells[i];
    }
    network.sort(cells);
    const std::size_t middle = length / 2;
    const Vector before = cells[middle == 0 ? 0 : middle - 1];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        rows.out[first + lane] =
            nans[lane] != 0 ? __builtin_nan("") : middle_of(before[lane], cells[middle][lane], length % 2 == 1);
    }
}

}  // namespace
}  // namespace tenrex::kernels
