// Products of matrices of int8 or bfloat16 cells, whose tiles are in words of 32 bits that hold some cells of
// consecutive k each. The sums become float cells (int8-inl.h, bf16-inl.h), which are stored or reduced here, in
// vectors of the target's FloatLanes. A shape S has beside what all shapes have:
//
//   S::Row             a cell of a, Cell<...>
//   S::Part            what it is in a word: std::int16_t, two in a word, or std::int8_t, four in a word
//   S::PartOfB         what a cell of b is in a word
//   S::raise           what is added to that, because it must not be negative
//   S::words_in_step   rows are filled up with zeros to a multiple of so many words
//   S::words_in_chunk  the most words of a row that are multiplied at a time
//   S::in_place        whether so many of all rows of a may be read where they are, if they have whole steps of words
//   S::rows_in_block   so many of these pass by a panel of b; of others S::rows_copied do
//   S::height_of       how many of the rows that are left are taken at a time, no more than the second number
//   S::multiply        the tiles of a chunk of some rows and a panel
//   S::skips           whether there is multiply_blocks(), which leaves blocks of zeros out
//
// b is rewritten when it is packed; behind each panel of b stands a word for every column, for what finishes the sums.
#pragma once

#include <utility>

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/matmul/epilogue-inl.h"
#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/matmul/rows-inl.h"
#include "lib/kernels/matmul/tiles-inl.h"

namespace tenrex::kernels {
namespace {

template <class Simd, std::size_t chunk_words, std::size_t... tallest_of>
struct WordShape : Shape<Simd, tallest_of...> {
    static constexpr std::size_t words_in_step = 1;
    static constexpr std::size_t words_in_chunk = chunk_words;
    static constexpr bool skips = Simd::raise == 0;
    static constexpr std::size_t steps_of_block =
        MatmulBlocks::rows_of_block / (sizeof(i32) / sizeof(typename Simd::Part));
    static constexpr std::size_t rows_in_block = 10 * Shape<Simd, tallest_of...>::rows;
    static bool in_place(std::size_t, std::size_t) { return sizeof(typename Simd::Part) == sizeof(typename Simd::Row); }
    // Evenly, so that the last rows are not few.
    static std::size_t height_of(std::size_t left, std::size_t most) {
        const std::size_t blocks = (left + most - 1) / most;
        return (left + blocks - 1) / blocks;
    }
    static void multiply(const tenrex::kernels::Part<i32> &part, std::size_t height, std::size_t vectors) {
        all_tiles<WordShape>(part, height, vectors);
    }
    // The same without the blocks of zeros of a panel of so many words, of which the part begins with one.
    [[gnu::noinline]] static void multiply_blocks(const tenrex::kernels::Part<i32> &part, const MatmulBlocks &blocks,
                                                  std::size_t panel, std::size_t words, std::size_t from,
                                                  std::size_t height, std::size_t vectors) {
        all_tiles<WordShape>(with_blocks<WordShape>(part, blocks, panel, words, words + 1, from), height, vectors);
    }
};

template <class S>
constexpr std::size_t cells_in_word = sizeof(i32) / sizeof(typename S::Part);

template <class S>
constexpr std::size_t words_of_row(std::size_t k) {
    return round_up((k + cells_in_word<S> - 1) / cells_in_word<S>, S::words_in_step);
}

// Some rows of a product while it is made.
template <class S>
struct WordTiles {
    static constexpr std::size_t panel = S::panel * S::lanes;
    // So many panels have sums while rows are rewritten chunk by chunk.
    static constexpr std::size_t panels_together = panel < 128 ? 128 / panel : 1;
    static constexpr std::size_t rows_together = panels_together * S::rows_copied;  // one panel below the other
    static constexpr std::size_t most_rows = S::rows_in_block > rows_together ? S::rows_in_block : rows_together;

    // Rows begin in different sets of the cache.
    static constexpr std::size_t row_words = S::words_in_chunk + 16;
    alignas(64) i32 a[S::rows_copied][row_words];
    alignas(64) i32 sums[most_rows * panel];  // as those below in rows of the panel's width
};

template <class S>
inline void set_rows(const typename S::Row *a, std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t rows,
                     std::size_t cells, WordTiles<S> &tiles) {
    using Part = Cell<typename S::Part>;
    for (std::size_t i = 0; i < rows; ++i) {
        const typename S::Row *from = a + static_cast<std::ptrdiff_t>(i) * a_row;
        Part *to = reinterpret_cast<Part *>(tiles.a[i]);
        if (a_k == 1) {
            for (std::size_t j = 0; j < cells; ++j) {
                to[j].value = from[j].value;
            }
        } else {
            for (std::size_t j = 0; j < cells; ++j) {
                to[j].value = from[static_cast<std::ptrdiff_t>(j) * a_k].value;
            }
        }
        for (std::size_t j = cells; j % (S::words_in_step * cells_in_word<S>) != 0; ++j) {
            to[j].value = 0;
        }
    }
}

// Columns of b that are packed together.
struct WordPanel {
    std::size_t left, columns, width;
    const i32 *b;
};

// One part of the product, finished: rows of `width` sums, of which the first `columns` count.
struct FinishedCells {
    std::size_t top, height;
    std::size_t left, columns, width;
};

// Calls use(finished, cells) for one part of the product after the other, all columns of some rows before the next
// rows; cells(i, j) is a vector of row `top` + i from column `left` + j on. `Sums` makes cells of the sums.
template <class S, class Sums, class Call, class Use>
inline void word_products(const Call &call, const Use &use) {
    constexpr std::size_t panel = WordTiles<S>::panel;
    constexpr std::size_t depth = cells_in_word<S>;
    constexpr std::size_t chunk = S::words_in_chunk;
    const auto *const a = static_cast<const typename S::Row *>(call.a);
    const std::size_t words = words_of_row<S>(call.k);
    constexpr auto row_cell = static_cast<std::ptrdiff_t>(sizeof(typename S::Row));
    constexpr auto word = static_cast<std::ptrdiff_t>(sizeof(i32));
    const bool has_words = call.a_k == 1 && call.a_row * row_cell % word == 0 && call.k == words * depth;
    constexpr bool can_skip = S::skips && __is_same(Call, Matmul);
    bool pays = false;  // to leave blocks of zeros out
    if constexpr (can_skip) {
        pays = call.blocks != nullptr && call.blocks->pays(call.m);
    }
    WordTiles<S> tiles;
    Sums sums;
    const auto set_chunk = [&](std::size_t top, std::size_t height, std::size_t from) {
        set_rows<S>(
            a + static_cast<std::ptrdiff_t>(top) * call.a_row + static_cast<std::ptrdiff_t>(from * depth) * call.a_k,
            call.a_row, call.a_k, height, smaller_of(chunk * depth, call.k - from * depth), tiles);
    };
    const auto panel_at = [&](std::size_t left) {
        const std::size_t columns = smaller_of(panel, call.n - left);
        return WordPanel{left, columns, round_up(columns, S::lanes),
                         static_cast<const i32 *>(call.packed) + left * (words + 1)};
    };
    const std::size_t most = has_words && words <= Sums::words_of_blocks && S::in_place(S::rows_in_block, call.m)
                                 ? S::rows_in_block
                                 : S::rows_copied;
    for (std::size_t top = 0, height = 0; top < call.m; top += height) {
        height = S::height_of(call.m - top, most);
        const auto *const rows = a + static_cast<std::ptrdiff_t>(top) * call.a_row;
        const bool in_place = has_words && S::in_place(height, call.m);
        if (!in_place && words <= chunk) {
            set_chunk(top, height, 0);
        }
        sums.start(rows, call.a_row, call.a_k, height, call.k);
        const auto multiply = [&](const WordPanel &own, std::size_t from, i32 *own_sums) {
            const std::size_t to = smaller_of(from + chunk, words);
            // Meanwhile the next panel is fetched.
            const bool fetches = height > 2 && own.left + own.columns < call.n;
            const i32 *const next = own.b + own.width * (words + 1 + from);
            const std::size_t part_bytes = (to - from) * own.width * sizeof(i32);
            const Part<i32> part{
                in_place ? reinterpret_cast<const i32 *>(rows) + from : tiles.a[0],
                in_place ? call.a_row * row_cell / word : static_cast<std::ptrdiff_t>(WordTiles<S>::row_words),
                own.b + from * own.width,
                0,
                to - from,
                own_sums,
                static_cast<std::ptrdiff_t>(own.width),
                S::lanes,
                Sums::begins_at(from) ? nullptr : own_sums,
                static_cast<std::ptrdiff_t>(own.width),
                false,
                0,
                fetches ? reinterpret_cast<const char *>(next) : nullptr,
                fetches ? fetched_bytes<S>(height, to - from, part_bytes) : 0};
            if (pays && sums.may_skip()) [[unlikely]] {
                if constexpr (can_skip) {
                    S::multiply_blocks(part, *call.blocks, own.left / panel, words, from, height, own.width / S::lanes);
                }
            } else {
                S::multiply(part, height, own.width / S::lanes);
            }
            sums.empty(own_sums, height * own.width, to, words);
        };
        // Chunks of rows that are rewritten are multiplied with several panels before the next chunk is. Few rows wait
        // for b, which is read in its order then.
        const bool has_chunks = !in_place && words > chunk;
        const bool are_many = has_chunks && height > S::rows && words <= Sums::words_of_blocks;
        const std::size_t together = are_many ? WordTiles<S>::panels_together : 1;
        for (std::size_t first = 0; first < call.n; first += together * panel) {
            const std::size_t end = smaller_of(call.n, first + together * panel);
            const auto sums_of = [&](std::size_t left) { return tiles.sums + (left - first) * S::rows_copied; };
            for (std::size_t from = 0; from < words; from += chunk) {
                if (has_chunks) {
                    set_chunk(top, height, from);
                }
                for (std::size_t left = first; left < end; left += panel) {
                    multiply(panel_at(left), from, sums_of(left));
                }
            }
            for (std::size_t left = first; left < end; left += panel) {
                const WordPanel own = panel_at(left);
                i32 *const own_sums = sums_of(left);
                sums.finish(own_sums, height, own.b, own.width, words);
                use(FinishedCells{top, height, left, own.columns, own.width}, [&](std::size_t i, std::size_t j) {
                    return sums.template cells<FloatLanes>(own_sums + i * own.width + j, i);
                });
            }
        }
    }
}

template <class S, class Sums>
inline void matmul_words(const Matmul &call) {
    static_assert(S::lanes == FloatLanes::lanes);
    const Matmul own = call;  // a copy: what is written may be anything, but not this
    word_products<S, Sums>(own, [&](const FinishedCells &part, const auto &cells) {
        for (std::size_t i = 0; i < part.height; ++i) {
            const std::size_t row = part.top + i;
            f32 *const out = static_cast<f32 *>(own.out) + static_cast<std::ptrdiff_t>(row) * own.out_row + part.left;
            RowEpilogue<FloatLanes>(own, row, part.left)
                .store(part.columns, reinterpret_cast<char *>(out),
                       [&](std::size_t j, std::size_t) { return cells(i, j); });
        }
    });
}

// NaN is passed over unless there is nothing else.
template <bool largest, bool may_be_nan, class V>
inline V better_of(V so_far, V next) {
    const V better = largest ? (next > so_far ? next : so_far) : (next < so_far ? next : so_far);
    if constexpr (may_be_nan) {
        return so_far == so_far ? better : next;
    }
    return better;
}

template <class S, class Sums, bool largest>
inline void reduce_words(const MatmulReduce &call) {
    using V = typename FloatLanes::V;
    word_products<S, Sums>(call, [&](const FinishedCells &part, const auto &cells) {
        float best[WordTiles<S>::panel];
        f32 *const out = static_cast<f32 *>(call.out) + part.left;
        const bool any = part.top > 0 || call.accumulate;
        if (any) {
            __builtin_memcpy(best, out, part.columns * sizeof(float));
        }
        // The best so far waits for the one before it, so vectors of columns take turns.
        const auto find_best = [&]<std::size_t... k>(std::size_t left, std::index_sequence<k...>) {
            constexpr std::size_t lanes = FloatLanes::lanes;
            const auto place = [&](std::size_t number) {
                return reinterpret_cast<char *>(best + left + number * lanes);
            };
            V so_far[] = {cells(0, left + k * lanes)...};
            if (any) {  // what others found may be NaN, whatever these sums are
                ((so_far[k] = better_of<largest, true>(FloatLanes::load(place(k)), so_far[k])), ...);
            }
            for (std::size_t i = 1; i < part.height; ++i) {
                ((so_far[k] = better_of<largest, Sums::may_be_nan>(so_far[k], cells(i, left + k * lanes))), ...);
            }
            (FloatLanes::store(place(k), so_far[k]), ...);
        };
        std::size_t j = 0;
        for (; part.width - j >= 2 * FloatLanes::lanes; j += 2 * FloatLanes::lanes) {
            find_best(j, std::make_index_sequence<2>());
        }
        if (j < part.width) {
            find_best(j, std::make_index_sequence<1>());
        }
        __builtin_memcpy(out, best, part.columns * sizeof(float));
    });
}

template <class S, class Sums>
inline void matmul_reduce_words(const MatmulReduce &call) {
    const MatmulReduce own = call;
    if (own.reduction == MatmulReduction::max) {
        reduce_words<S, Sums, true>(own);
    } else {
        reduce_words<S, Sums, false>(own);
    }
}

// The word behind the panel begins as `first_word` and becomes next(word, cell) with every cell of its column.
template <class S, class Next>
inline void pack_words(const Pack &call, std::int32_t first_word, const Next &next) {
    using Part = Cell<typename S::PartOfB>;
    using Row = typename S::Row;
    constexpr std::size_t panel = WordTiles<S>::panel;
    constexpr std::size_t depth = cells_in_word<S>;
    const auto [first, b_k, b_n, k, n, packed] = call;
    const Row *b = static_cast<const Row *>(first);
    const std::size_t words = words_of_row<S>(k);
    for (std::size_t left = 0; left < n; left += panel) {
        const std::size_t columns = smaller_of(panel, n - left);
        const std::size_t width = round_up(columns, S::lanes);
        i32 *to = static_cast<i32 *>(packed) + left * (words + 1);
        i32 *behind = to + words * width;
        for (std::size_t j = 0; j < width; ++j) {
            behind[j].value = first_word;
        }
        for (std::size_t i = 0; i < words * depth; ++i) {
            Part *parts = reinterpret_cast<Part *>(to + i / depth * width) + i % depth;
            const Row *from = b + static_cast<std::ptrdiff_t>(i) * b_k + static_cast<std::ptrdiff_t>(left) * b_n;
            for (std::size_t j = 0; j < width; ++j) {
                const bool inside = i < k && j < columns;
                const auto cell = inside ? from[static_cast<std::ptrdiff_t>(j) * b_n].value : decltype(from->value){0};
                parts[j * depth].value = static_cast<typename S::PartOfB>(cell + S::raise);
                behind[j].value = next(behind[j].value, cell);
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
