// Tiles of a product of matrices: the loop over k that everything else is there to feed.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/matmul/matmul.h"

// Before a loop whose variable must become a constant, because it counts registers.
#if defined(__clang__)
#define TENREX_UNROLL _Pragma("unroll")
#else
#define TENREX_UNROLL _Pragma("GCC unroll 32")
#endif

namespace tenrex::kernels {
namespace {

inline std::size_t smaller_of(std::size_t x, std::size_t y) {
    return x < y ? x : y;
}
constexpr std::size_t round_up(std::size_t x, std::size_t y) {
    return (x + y - 1) / y * y;
}

// Tiles of up to `panel` vectors; one of v vectors has up to tallest[v - 1] rows, and none more than `rows`.
template <class Simd, std::size_t... tallest_of>
struct Shape : Simd {
    using Cell = typename Simd::Native;
    static constexpr std::size_t panel = sizeof...(tallest_of);
    static constexpr std::size_t steps_of_block = MatmulBlocks::rows_of_block;
    static constexpr std::size_t tallest[panel] = {tallest_of...};
    static constexpr std::size_t rows = [] {
        std::size_t most = 0;
        for (std::size_t rows_of_one : tallest) {
            most = rows_of_one > most ? rows_of_one : most;
        }
        return most;
    }();
    // Of rows that are copied or rewritten so many at a time: whole tiles, so that none is much lower. b is read once
    // for all of them; copies of more rows would not stay in the cache.
    static constexpr std::size_t rows_copied = round_up(rows_rewritten, tallest[panel - 1]);
    // A single row or two take several panels at a time, if there are so many: one would not have enough sums to keep
    // the units busy.
    static constexpr std::size_t panels_of(std::size_t rows_wanted, std::size_t panels) {
        if (rows_wanted == 1 && panels >= 4) {
            return 4;
        }
        return rows_wanted <= 2 && panels >= 2 ? 2 : 1;
    }
};

// Part of a product: rows of a by a chunk of a panel of b, or of some panels.
template <class Cell>
struct Part {
    const Cell *a;
    std::ptrdiff_t a_row;
    const Cell *b;
    std::ptrdiff_t b_panel;  // from one panel to the next
    std::size_t k;
    Cell *out;
    std::ptrdiff_t out_row;
    std::size_t in_last;  // columns of the last vector
    const Cell *before;   // what the sums are added to, like `out` or a bias for all rows; may be null
    std::ptrdiff_t before_row;
    bool rectifies = false;    // the results, unless they are words
    std::ptrdiff_t b_row = 0;  // from one row of b to the next; 0: they follow each other
    // What is read after this part is fetched meanwhile: so many bytes for each step of k in each tile, from there on.
    const char *ahead = nullptr;
    std::ptrdiff_t ahead_step = 0;
};

// The same where b has blocks of zeros: only so many others are multiplied, with whose first rows of b these begin.
template <class Cell>
struct PartWithBlocks : Part<Cell> {
    const std::uint32_t *blocks;
    std::size_t block_count;
    std::ptrdiff_t first_row;  // of the part, counted as those are
};

// Of a vector or a cell: zero in place of what is negative.
template <class Number>
inline Number rectified(Number x) {
    return x < Number{} ? Number{} : x;
}

// A vector of a part, or its first `count` lanes. Words are only kept within kernels, where they fill their vectors.
template <class S>
inline typename S::Vector load_part(const typename S::Cell *cells, bool whole, std::size_t count) {
    if constexpr (__is_same(typename S::Cell, i32)) {
        return S::load(cells);
    } else {
        return whole ? S::load(cells) : S::load(cells, count);
    }
}
template <class S>
inline void store_part(typename S::Cell *cells, typename S::Vector x, bool whole, std::size_t count) {
    if constexpr (__is_same(typename S::Cell, i32)) {
        S::store(cells, x);
    } else if (whole) {
        S::store(cells, x);
    } else {
        S::store(cells, x, count);
    }
}

// `count` tiles of `rows` rows, one below the other. fetches: what is read after them, too, which products in the first
// cache should not pay for.
template <class S, std::size_t rows, std::size_t vectors, bool fetches = false, class P = Part<typename S::Cell>>
void tiles(const P &part, std::size_t count) {
    using Cell = typename S::Cell;
    using Vector = typename S::Vector;
    constexpr bool skips = !__is_same(P, Part<Cell>);
    constexpr std::size_t lanes = S::lanes;
    constexpr std::size_t panel = vectors < S::panel ? vectors : S::panel;
    const auto [first_a, a_row, first_b, b_panel, k, first_out, out_row, in_last, first_before, before_row, rectifies,
                b_row, first_ahead, ahead_step] = static_cast<const Part<Cell> &>(part);
    const std::ptrdiff_t b_step = b_row != 0 ? b_row : static_cast<std::ptrdiff_t>(panel * lanes);
    const bool full = in_last == lanes;
    const Cell *first = first_a;
    const Cell *before = first_before;
    Cell *out = first_out;
    const char *ahead = first_ahead;
    for (; count > 0; --count) {
        // Rows are addressed three from one pointer, as x86 can: pointers for all of them would not fit into registers.
        constexpr std::size_t pointers = (rows + 2) / 3;
        const Cell *a[pointers];
        TENREX_UNROLL
        for (std::size_t i = 0; i < pointers; ++i) {
            a[i] = first + static_cast<std::ptrdiff_t>(3 * i) * a_row;
        }
        const Cell *b = first_b;
        Vector sums[rows][vectors];
        TENREX_UNROLL
        for (std::size_t row = 0; row < rows; ++row) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) {
                sums[row][v] = S::zero();
            }
        }
        std::size_t block_count = 1;
        if constexpr (skips) {
            block_count = part.block_count;
        }
        for (std::size_t block = 0; block < block_count; ++block) {
            std::size_t steps = k;
            if constexpr (skips) {
                constexpr auto width = static_cast<std::ptrdiff_t>(panel * lanes);
                const bool is_first = out == first_out;  // the tiles below find in the cache what it has fetched
                const std::ptrdiff_t at = part.blocks[block] - part.first_row;
                const std::ptrdiff_t next =
                    part.blocks[block + (is_first ? MatmulBlocks::fetched_ahead : 0)] - part.first_row;
                TENREX_UNROLL
                for (std::size_t j = 0; j < pointers; ++j) {
                    a[j] = first + static_cast<std::ptrdiff_t>(3 * j) * a_row + at;
                }
                b = first_b + at * width;
                ahead = reinterpret_cast<const char *>(first_b + next * width);
                steps = smaller_of(S::steps_of_block, k - static_cast<std::size_t>(at));
            }
            for (std::size_t i = 0; i < steps; ++i) {
                if constexpr (fetches) {
                    // Into the second cache, for the first one is full of what is read now; two lines are what one tile
                    // takes.
                    __builtin_prefetch(ahead, 0, 2);
                    __builtin_prefetch(ahead + 64, 0, 2);
                    ahead += ahead_step;
                }
                if constexpr (skips) {
                    constexpr std::size_t line = 64;
                    TENREX_UNROLL
                    for (std::size_t j = 0; j < vectors * lanes * sizeof(Cell); j += line) {
                        __builtin_prefetch(ahead + j, 0, 2);
                    }
                    ahead += vectors * lanes * sizeof(Cell);
                }
                Vector columns[vectors];
                TENREX_UNROLL
                for (std::size_t v = 0; v < vectors; ++v) {
                    columns[v] = S::load(b + static_cast<std::ptrdiff_t>(v / panel) * b_panel + v % panel * lanes);
                }
                TENREX_UNROLL
                for (std::size_t row = 0; row < rows; ++row) {
                    const auto cell = S::broadcast(a[row / 3] + static_cast<std::ptrdiff_t>(row % 3) * a_row);
                    TENREX_UNROLL
                    for (std::size_t v = 0; v < vectors; ++v) {
                        sums[row][v] = S::multiply_add(cell, columns[v], sums[row][v]);
                    }
                }
                TENREX_UNROLL
                for (std::size_t j = 0; j < pointers; ++j) {
                    ++a[j];
                }
                b += b_step;
            }
        }
        constexpr std::size_t last = vectors - 1;
        TENREX_UNROLL
        for (std::size_t row = 0; row < rows; ++row) {
            Cell *to = out + static_cast<std::ptrdiff_t>(row) * out_row;
            TENREX_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) {
                const bool whole = v < last || full;
                if (before != nullptr) {
                    const Cell *from = before + static_cast<std::ptrdiff_t>(row) * before_row + v * lanes;
                    sums[row][v] = S::add(load_part<S>(from, whole, in_last), sums[row][v]);
                }
                if constexpr (!__is_same(Cell, i32)) {
                    sums[row][v] = rectifies ? rectified(sums[row][v]) : sums[row][v];
                }
                store_part<S>(to + v * lanes, sums[row][v], whole, in_last);
            }
        }
        first += static_cast<std::ptrdiff_t>(rows) * a_row;
        out += static_cast<std::ptrdiff_t>(rows) * out_row;
        before = before == nullptr ? nullptr : before + static_cast<std::ptrdiff_t>(rows) * before_row;
    }
}

template <class S, std::size_t vectors, std::size_t rows = S::tallest[vectors - 1], class P>
inline void tiles_of(const P &part, std::size_t rows_wanted, std::size_t count) {
    if constexpr (rows > 1) {
        if (rows_wanted < rows) {
            return tiles_of<S, vectors, rows - 1>(part, rows_wanted, count);
        }
    }
    if constexpr (__is_same(P, Part<typename S::Cell>) && rows > 2 &&
                  vectors == S::panel) {  // there is nothing to fetch behind less than a panel
        if (part.ahead != nullptr) {
            return tiles<S, rows, vectors, true>(part, count);
        }
    }
    tiles<S, rows, vectors>(part, count);
}

// `rows` rows in tiles of two heights that differ by one: none of them is much lower than it could be.
template <class S, std::size_t vectors, class P>
void tiles_for(P part, std::size_t rows) {
    const std::size_t count = (rows + S::tallest[vectors - 1] - 1) / S::tallest[vectors - 1];
    const std::size_t height = rows / count;
    const std::size_t higher = rows % count;
    if (higher > 0) {
        tiles_of<S, vectors>(part, height + 1, higher);
        part.a += static_cast<std::ptrdiff_t>(higher * (height + 1)) * part.a_row;
        part.out += static_cast<std::ptrdiff_t>(higher * (height + 1)) * part.out_row;
        if (part.before != nullptr) {
            part.before += static_cast<std::ptrdiff_t>(higher * (height + 1)) * part.before_row;
        }
        if (part.ahead != nullptr) {
            part.ahead += static_cast<std::ptrdiff_t>(higher * part.k) * part.ahead_step;
        }
    }
    tiles_of<S, vectors>(part, height, count - higher);
}

template <class S, std::size_t most = S::panel, class P = Part<typename S::Cell>>
inline void all_tiles(const P &part, std::size_t rows, std::size_t vectors) {
    if constexpr (most > 1) {
        if (vectors < most) {
            return all_tiles<S, most - 1>(part, rows, vectors);
        }
    }
    if (vectors == most) {
        tiles_for<S, most>(part, rows);
    } else if constexpr (!__is_same(P, Part<typename S::Cell>)) {
        __builtin_unreachable();  // panels have blocks of their own
    } else if (rows == 1) {
        vectors == 4 * S::panel ? tiles<S, 1, 4 * S::panel>(part, 1) : tiles<S, 1, 2 * S::panel>(part, 1);
    } else {
        tiles<S, 2, 2 * S::panel>(part, 1);
    }
}

// A part without its blocks of zeros. It begins with row `from` of a panel, which has so many rows, and takes so many
// with what stands behind it.
template <class S>
inline PartWithBlocks<typename S::Cell> with_blocks(const Part<typename S::Cell> &part, const MatmulBlocks &own,
                                                    std::size_t panel, std::size_t rows, std::size_t panel_rows,
                                                    std::size_t from) {
    const std::size_t all = (rows + S::steps_of_block - 1) / S::steps_of_block;
    const std::uint32_t *const first = own.first + panel * all;
    const std::uint32_t begin = first[from / S::steps_of_block];
    const std::uint32_t end = first[(from + part.k + S::steps_of_block - 1) / S::steps_of_block];
    PartWithBlocks<typename S::Cell> result{part, own.rows + begin, end - begin,
                                            static_cast<std::ptrdiff_t>((own.before + panel) * panel_rows + from)};
    result.ahead = nullptr;
    return result;
}

// How many bytes of what comes next are fetched in each step of k, where `height` rows take several tiles and so many
// bytes are fetched in all.
template <class S>
inline std::ptrdiff_t fetched_bytes(std::size_t height, std::size_t depth, std::size_t bytes) {
    const std::size_t steps = (height + S::rows - 1) / S::rows * depth;
    return static_cast<std::ptrdiff_t>((bytes + steps - 1) / steps);
}

}  // namespace
}  // namespace tenrex::kernels
