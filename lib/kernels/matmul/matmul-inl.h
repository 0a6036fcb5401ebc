// The loops of all kernels for products of matrices. They are templates over the vectors of simd/<target>-inl.h and
// over the shape of the tiles that fit into the registers.
//
// A tile is some rows of the product by one to `panel` vectors of its columns. Its sums stay in registers while k goes
// from 0 to `chunk`; the sums of the chunks are then added up, one chunk after the other. So the order of additions of
// a cell depends on k alone: tiles of all shapes do the same. The chunks bound the error of long sums, and a chunk of a
// panel is what stays in the cache while rows pass by.
//
// Packed operands are panels of columns, `panel` vectors wide but for the last one, whose last vector is filled up with
// zeros; a panel is k rows of its width.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/matmul.h"

#define TENREX_KERNEL(operation, type, lanes, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                            \
    MatmulFunction function;                                                       \
    MatmulReduceFunction operation##_reduce_##type;                                \
    PackFunction pack_##type;                                                      \
    }
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL

// Before a loop whose variable must become a constant, because it counts registers.
#if defined(__clang__)
#define TENREX_UNROLL _Pragma("unroll")
#else
#define TENREX_UNROLL _Pragma("GCC unroll 32")
#endif

namespace tenrex::kernels {
namespace {

constexpr std::size_t chunk = 256;

inline std::size_t smaller_of(std::size_t x, std::size_t y) {
    return x < y ? x : y;
}
inline std::size_t round_up(std::size_t x, std::size_t y) {
    return (x + y - 1) / y * y;
}

// Tiles of `panel` vectors at most; one of v vectors has up to tallest[v - 1] rows, and no more than `rows`.
template <class Simd, std::size_t... tallest_of>
struct Shape : Simd {
    using Cell = typename Simd::Native;
    static constexpr std::size_t panel = sizeof...(tallest_of);
    static constexpr std::size_t tallest[] = {tallest_of...};
    static constexpr std::size_t rows = [] {
        std::size_t most = 0;
        for (std::size_t rows_of_one : tallest) {
            most = rows_of_one > most ? rows_of_one : most;
        }
        return most;
    }();
};

// Part of a product: rows of a, a chunk of a panel of b.
template <class Cell>
struct Part {
    const Cell *a;
    std::ptrdiff_t a_row;
    const Cell *b;
    std::size_t k;
    Cell *out;
    std::ptrdiff_t out_row;
    std::size_t in_last;  // columns of the last vector
    const Cell *before;   // what the sums are added to, like `out` or a bias for all rows; may be null
    std::ptrdiff_t before_row;
};

// `count` tiles of `rows` rows, one below the other.
template <class S, std::size_t rows, std::size_t vectors>
void tiles(const Part<typename S::Cell> &part, std::size_t count) {
    using Cell = typename S::Cell;
    using Vector = typename S::Vector;
    constexpr std::size_t lanes = S::lanes;
    const auto [first_a, a_row, first_b, k, first_out, out_row, in_last, first_before, before_row] = part;
    const bool full = in_last == lanes;
    const Cell *first = first_a;
    const Cell *before = first_before;
    Cell *out = first_out;
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
        for (std::size_t i = 0; i < k; ++i) {
            Vector columns[vectors];
            TENREX_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) {
                columns[v] = S::load(b + v * lanes);
            }
            TENREX_UNROLL
            for (std::size_t row = 0; row < rows; ++row) {
                const Vector cell = S::broadcast(a[row / 3] + static_cast<std::ptrdiff_t>(row % 3) * a_row);
                TENREX_UNROLL
                for (std::size_t v = 0; v < vectors; ++v) {
                    sums[row][v] = S::multiply_add(cell, columns[v], sums[row][v]);
                }
            }
            TENREX_UNROLL
            for (std::size_t j = 0; j < pointers; ++j) {
                ++a[j];
            }
            b += vectors * lanes;
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
                    sums[row][v] = S::add(whole ? S::load(from) : S::load(from, in_last), sums[row][v]);
                }
                if (whole) {
                    S::store(to + v * lanes, sums[row][v]);
                } else {
                    S::store(to + v * lanes, sums[row][v], in_last);
                }
            }
        }
        first += static_cast<std::ptrdiff_t>(rows) * a_row;
        out += static_cast<std::ptrdiff_t>(rows) * out_row;
        before = before == nullptr ? nullptr : before + static_cast<std::ptrdiff_t>(rows) * before_row;
    }
}

template <class S, std::size_t vectors, std::size_t rows = S::tallest[vectors - 1]>
inline void tiles_of(const Part<typename S::Cell> &part, std::size_t rows_wanted, std::size_t count) {
    if constexpr (rows > 1) {
        if (rows_wanted < rows) {
            return tiles_of<S, vectors, rows - 1>(part, rows_wanted, count);
        }
    }
    tiles<S, rows, vectors>(part, count);
}

// `rows` rows in tiles of two heights that differ by one: none of them is much lower than it could be.
template <class S, std::size_t vectors>
void tiles_for(Part<typename S::Cell> part, std::size_t rows) {
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
    }
    tiles_of<S, vectors>(part, height, count - higher);
}

template <class S, std::size_t most = S::panel>
inline void all_tiles(const Part<typename S::Cell> &part, std::size_t rows, std::size_t vectors) {
    if constexpr (most > 1) {
        if (vectors < most) {
            return all_tiles<S, most - 1>(part, rows, vectors);
        }
    }
    tiles_for<S, most>(part, rows);
}

// The cells of a chunk of some rows, one beside the other: those of operand a, or a copy.
template <class Cell, std::size_t most_rows>
struct RowsOfChunk {
    const Cell *first;
    std::ptrdiff_t row;
    Cell copy[most_rows][chunk];

    void set(const Cell *a, std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t rows, std::size_t k) {
        if (a_k == 1) {
            first = a;
            row = a_row;
            return;
        }
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < k; ++j) {
                copy[i][j] = a[static_cast<std::ptrdiff_t>(i) * a_row + static_cast<std::ptrdiff_t>(j) * a_k];
            }
        }
        first = copy[0];
        row = chunk;
    }
};

template <class S>
inline void matmul(const Matmul &call) {
    using Cell = typename S::Cell;
    constexpr std::size_t rows_in_cache = 10 * S::rows;
    const auto [a, a_row, a_k, packed, m, n, k, bias, out, out_row] = call;
    const std::size_t block = a_k == 1 ? rows_in_cache : S::rows;
    RowsOfChunk<Cell, S::rows> rows;
    for (std::size_t top = 0; top < m; top += block) {
        const std::size_t height = smaller_of(block, m - top);
        for (std::size_t from = 0; from < k; from += chunk) {
            const std::size_t depth = smaller_of(chunk, k - from);
            rows.set(static_cast<const Cell *>(a) + static_cast<std::ptrdiff_t>(top) * a_row +
                         static_cast<std::ptrdiff_t>(from) * a_k,
                     a_row, a_k, height, depth);
            for (std::size_t left = 0; left < n; left += S::panel * S::lanes) {
                const std::size_t columns = smaller_of(S::panel * S::lanes, n - left);
                const std::size_t width = round_up(columns, S::lanes);
                Cell *cells = static_cast<Cell *>(out) + static_cast<std::ptrdiff_t>(top) * out_row + left;
                const Cell *start = bias == nullptr ? nullptr : static_cast<const Cell *>(bias) + left;
                all_tiles<S>(
                    {rows.first, rows.row, static_cast<const Cell *>(packed) + left * k + from * width, depth, cells,
                     out_row, columns + S::lanes - width, from > 0 ? cells : start, from > 0 ? out_row : 0},
                    height, width / S::lanes);
            }
        }
    }
}

// Combines `rows` rows of `width` cells into the first of them.
template <class S, bool largest>
inline void reduce_rows(typename S::Cell *cells, std::size_t rows, std::size_t width) {
    for (std::size_t v = 0; v < width; v += S::lanes) {
        typename S::Vector best = S::load(cells + v);
        for (std::size_t row = 1; row < rows; ++row) {
            const typename S::Vector next = S::load(cells + row * width + v);
            best = largest ? S::larger(best, next) : S::smaller(best, next);
        }
        S::store(cells + v, best);
    }
}

template <class S>
inline void matmul_reduce(const MatmulReduce &call) {
    using Cell = typename S::Cell;
    constexpr std::size_t panel = S::panel * S::lanes;
    constexpr std::size_t rows_in_cache = 4 * S::rows;
    const auto [reduction, a, a_row, a_k, packed, m, n, k, out, accumulate] = call;
    const std::size_t block = a_k == 1 ? rows_in_cache : S::rows;
    RowsOfChunk<Cell, S::rows> rows;
    Cell cells[(1 + rows_in_cache) * panel];  // the best so far, then a block of rows
    for (std::size_t left = 0; left < n; left += panel) {
        const std::size_t columns = smaller_of(panel, n - left);
        const std::size_t width = round_up(columns, S::lanes);
        Cell *results = static_cast<Cell *>(out) + left;
        bool any = accumulate;
        if (accumulate) {
            __builtin_memcpy(cells, results, columns * sizeof(Cell));
            __builtin_memset(cells + columns, 0, (width - columns) * sizeof(Cell));
        }
        for (std::size_t top = 0; top < m; top += block) {
            const std::size_t height = smaller_of(block, m - top);
            for (std::size_t from = 0; from < k; from += chunk) {
                const std::size_t depth = smaller_of(chunk, k - from);
                rows.set(static_cast<const Cell *>(a) + static_cast<std::ptrdiff_t>(top) * a_row +
                             static_cast<std::ptrdiff_t>(from) * a_k,
                         a_row, a_k, height, depth);
                Cell *to = cells + (any ? width : 0);
                all_tiles<S>({rows.first, rows.row, static_cast<const Cell *>(packed) + left * k + from * width, depth,
                              to, static_cast<std::ptrdiff_t>(width), S::lanes, from > 0 ? to : nullptr,
                              static_cast<std::ptrdiff_t>(width)},
                             height, width / S::lanes);
            }
            const std::size_t together = height + (any ? 1 : 0);
            if (reduction == MatmulReduction::max) {
                reduce_rows<S, true>(cells, together, width);
            } else {
                reduce_rows<S, false>(cells, together, width);
            }
            any = true;
        }
        __builtin_memcpy(results, cells, columns * sizeof(Cell));
    }
}

template <class S>
inline void pack(const Pack &call) {
    using Cell = typename S::Cell;
    const auto [first, b_k, b_n, k, n, packed] = call;
    Cell *to = static_cast<Cell *>(packed);
    for (std::size_t left = 0; left < n; left += S::panel * S::lanes) {
        const std::size_t columns = smaller_of(S::panel * S::lanes, n - left);
        const std::size_t width = round_up(columns, S::lanes);
        const Cell *b = static_cast<const Cell *>(first) + static_cast<std::ptrdiff_t>(left) * b_n;
        for (std::size_t i = 0; i < k; ++i) {
            const Cell *from = b + static_cast<std::ptrdiff_t>(i) * b_k;
            for (std::size_t j = 0; j < columns; ++j) {
                to[j] = from[static_cast<std::ptrdiff_t>(j) * b_n];
            }
            for (std::size_t j = columns; j < width; ++j) {
                to[j] = {};
            }
            to += width;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
