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

#include "lib/kernels/matmul/int8-inl.h"
#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/matmul/pack-inl.h"
#include "lib/kernels/matmul/rows-inl.h"
#include "lib/kernels/matmul/tiles-inl.h"

#define TENREX_KERNEL(operation, type, lanes, vectors, depth, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                            \
    MatmulFunction function;                                                                       \
    MatmulReduceFunction operation##_reduce_##type;                                                \
    PackFunction pack_##type;                                                                      \
    }
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

inline constexpr std::size_t chunk = 256;

// The cells of a chunk of some rows, one beside the other: those of operand a, or a copy.
template <class S>
struct RowsOfChunk {
    using Cell = typename S::Cell;
    // Rows that are multiples of this many bytes apart begin in the same set of the first cache, where there is no room
    // for the rows of a high tile.
    static constexpr std::ptrdiff_t cache_way = 4096;
    static constexpr std::size_t rows_of_set = 8;
    static constexpr std::size_t few_columns = 64;  // for which copying takes longer than it saves
    // Rows of the copy begin in different sets.
    static constexpr std::size_t copied_row = chunk + 64 / sizeof(Cell);

    const Cell *first;
    std::ptrdiff_t row;
    bool copies;
    Cell copy[S::rows_copied][copied_row];

    // Of an operand with these strides; what is copied is then used for n columns.
    RowsOfChunk(std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t m, std::size_t n)
        : copies(a_k != 1 || (a_row * static_cast<std::ptrdiff_t>(sizeof(Cell)) % cache_way == 0 &&
                              S::rows > rows_of_set && m > rows_of_set && n > few_columns)) {}

    void set(const Cell *a, std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t rows, std::size_t k) {
        if (!copies) {
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
        row = copied_row;
    }
};

// Some rows of a product.
template <class S>
struct RowsOfProduct {
    using Cell = typename S::Cell;
    static constexpr std::size_t panel = S::panel * S::lanes;

    const Matmul &call;
    std::size_t top, height;
    SkippingRows<decltype(Cell::value)> skips = {call, top, height};
    // Whether something is left to do with the sums of all chunks; else the bias comes first, and registers are
    // rectified.
    bool has_epilogue = __is_same(Cell, f32) && (call.scaling != nullptr || call.activation > MatmulActivation::relu);

    std::size_t width_at(std::size_t left) const { return smaller_of(panel, round_up(call.n - left, S::lanes)); }
    // Of the panels that are multiplied together.
    std::size_t columns_at(std::size_t left) const {
        const std::size_t whole_panels = (call.n - left) / panel;
        if (skips.any()) {  // panels have runs of their own
            return whole_panels == 0 ? call.n - left : panel;
        }
        return whole_panels == 0 ? call.n - left : S::panels_of(height, whole_panels) * panel;
    }
    Cell *cells_at(std::size_t left) const {
        return static_cast<Cell *>(call.out) + static_cast<std::ptrdiff_t>(top) * call.out_row + left;
    }

    // Multiplies a chunk; what is read next is fetched meanwhile, unless there is no such column or no such chunk.
    void multiply(const RowsOfChunk<S> &rows, std::size_t left, std::size_t columns, std::size_t from,
                  std::size_t next_left, std::size_t next_from) const {
        const bool is_packed = call.b_row == 0;
        const std::size_t depth = smaller_of(chunk, call.k - from);
        const std::size_t padded = round_up(columns, S::lanes);
        const std::size_t width = smaller_of(panel, padded);
        Cell *const cells = cells_at(left);
        const Cell *const b = static_cast<const Cell *>(call.packed);
        const Cell *const start =
            call.bias == nullptr || has_epilogue ? nullptr : static_cast<const Cell *>(call.bias) + left;
        const std::ptrdiff_t first =
            is_packed ? static_cast<std::ptrdiff_t>(left * call.k + from * width)
                      : static_cast<std::ptrdiff_t>(from) * call.b_row + static_cast<std::ptrdiff_t>(left);
        const bool fetches = is_packed && height > 2 && next_left < call.n && next_from < call.k;
        const Cell *const next = fetches ? b + next_left * call.k + next_from * width_at(next_left) : nullptr;
        const bool rectifies = call.activation == MatmulActivation::relu && !has_epilogue && from + depth == call.k;
        Part<Cell> part{rows.first,
                        rows.row,
                        b + first,
                        static_cast<std::ptrdiff_t>(is_packed ? panel * call.k : panel),
                        depth,
                        cells,
                        call.out_row,
                        columns + S::lanes - padded,
                        from > 0 ? cells : start,
                        from > 0 ? call.out_row : 0,
                        rectifies,
                        call.b_row,
                        reinterpret_cast<const char *>(next),
                        fetches ? fetched_bytes<S>(height, depth, depth * width * sizeof(Cell)) : 0};
        if (skips.any()) {
            multiply_blocks(part, left / panel, from, padded / S::lanes);
        } else {
            all_tiles<S>(part, height, padded / S::lanes);
        }
    }

    // What is written has the bits that all_tiles() writes.
    [[gnu::noinline]] void multiply_blocks(const Part<Cell> &part, std::size_t panel_number, std::size_t from,
                                           std::size_t vectors) const {
        if (skips.beside(call.blocks->least_place[panel_number])) {
            all_tiles<S>(with_blocks<S>(part, *call.blocks, panel_number, call.k, call.k, from), height, vectors);
        } else {
            all_tiles<S>(part, height, vectors);
        }
    }

    // After the last chunk, if there is an epilogue; short products without one would wait for its registers.
    [[gnu::noinline]] void finish(std::size_t left, std::size_t columns) const {
        if constexpr (__is_same(Cell, f32)) {
            for (std::size_t i = 0; i < height; ++i) {
                char *const row =
                    reinterpret_cast<char *>(cells_at(left) + static_cast<std::ptrdiff_t>(i) * call.out_row);
                RowEpilogue<FloatLanes>(call, top + i, left).store(columns, row, [&](std::size_t j, std::size_t count) {
                    const char *const sums = row + j * sizeof(Cell);
                    return count == FloatLanes::lanes ? FloatLanes::load(sums) : FloatLanes::load(sums, count);
                });
            }
        }
    }
};

template <class S>
inline void matmul(const Matmul &call) {
    using Cell = typename S::Cell;
    constexpr std::size_t rows_in_cache = 10 * S::rows;
    // Of rows that stay in the second cache all chunks of a panel are multiplied before the next panel: the sums of the
    // chunks meet in the first one.
    constexpr std::size_t cells_in_cache = (std::size_t{256} << 10) / sizeof(Cell);
    const Matmul own = call;  // a copy: what is written may be anything, but not this
    const std::size_t m = own.m, n = own.n, k = own.k;
    RowsOfChunk<S> rows(own.a_row, own.a_k, m, n);
    // Evenly, so that the last rows are not few: each block reads all of b.
    const std::size_t blocks = m < rows_in_cache ? 1 : (m + rows_in_cache / 2) / rows_in_cache;
    const std::size_t block = rows.copies ? S::rows_copied : (m + blocks - 1) / blocks;
    for (std::size_t top = 0; top < m; top += block) {
        const RowsOfProduct<S> product{own, top, smaller_of(block, m - top)};
        const auto set_chunk = [&](std::size_t from) {
            rows.set(static_cast<const Cell *>(own.a) + static_cast<std::ptrdiff_t>(top) * own.a_row +
                         static_cast<std::ptrdiff_t>(from) * own.a_k,
                     own.a_row, own.a_k, product.height, smaller_of(chunk, k - from));
        };
        if (!rows.copies && k <= cells_in_cache / product.height) {
            for (std::size_t left = 0, columns = 0; left < n; left += columns) {
                columns = product.columns_at(left);
                for (std::size_t from = 0; from < k; from += chunk) {
                    set_chunk(from);
                    product.multiply(rows, left, columns, from, left + columns, from);
                }
                if (product.has_epilogue) {
                    product.finish(left, columns);
                }
            }
            continue;
        }
        for (std::size_t from = 0; from < k; from += chunk) {
            set_chunk(from);
            for (std::size_t left = 0, columns = 0; left < n; left += columns) {
                columns = product.columns_at(left);
                const bool goes_on = left + columns < n;
                product.multiply(rows, left, columns, from, goes_on ? left + columns : 0,
                                 goes_on ? from : from + chunk);
                if (product.has_epilogue && from + chunk >= k) {
                    product.finish(left, columns);
                }
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
    static_assert(S::rows_copied <= rows_in_cache);
    const auto [reduction, a, a_row, a_k, packed, m, n, k, out, accumulate] = call;
    RowsOfChunk<S> rows(a_row, a_k, m, n);
    const std::size_t block = rows.copies ? S::rows_copied : rows_in_cache;
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
                all_tiles<S>({rows.first, rows.row, static_cast<const Cell *>(packed) + left * k + from * width,
                              static_cast<std::ptrdiff_t>(panel * k), depth, to, static_cast<std::ptrdiff_t>(width),
                              S::lanes, from > 0 ? to : nullptr, static_cast<std::ptrdiff_t>(width)},
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

}  // namespace
}  // namespace tenrex::kernels
