// Products of matrices of int8 cells: exact, then rounded to float. The tiles are those of all other products, but in
// words of 32 bits that hold some cells of consecutive k each:
//
//   S::Part      what a cell of a is in a word: int16_t, two in a word, or uint8_t, four in a word
//   S::raise     what is added to each cell of a, because it must not be negative
//   S::PartOfB   what a cell of b is
//
// The rows of a are rewritten as they are needed, b when it is packed; behind each panel of b stands for every column
// what raising adds to its sums.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/matmul.h"
#include "lib/kernels/matmul/tiles-inl.h"

namespace tenrex::kernels {
namespace {

inline constexpr std::size_t words_in_chunk = 512;
// Sums of as many products of 255 and 128 fit into 31 bits.
inline constexpr std::size_t cells_in_segment = 65536;

template <class S>
constexpr std::size_t cells_in_word = sizeof(i32) / sizeof(typename S::Part);

// Some rows of a product while it is made.
template <class S>
struct ByteTiles {
    static constexpr std::size_t panel = S::panel * S::lanes;

    i32 a[S::rows][words_in_chunk];
    i32 sums[S::rows * panel];
    double totals[S::rows * panel];  // of the segments, if there are several
    float cells[S::rows * panel];    // the result, as all these in rows of the panel's width
};

template <class S>
inline void set_rows(const i8 *a, std::ptrdiff_t a_row, std::ptrdiff_t a_k, std::size_t rows, std::size_t cells,
                     ByteTiles<S> &tiles) {
    using Part = Cell<typename S::Part>;
    for (std::size_t i = 0; i < rows; ++i) {
        const i8 *from = a + static_cast<std::ptrdiff_t>(i) * a_row;
        Part *to = reinterpret_cast<Part *>(tiles.a[i]);
        if (a_k == 1) {
            for (std::size_t j = 0; j < cells; ++j) {
                to[j].value = static_cast<typename S::Part>(from[j].value + S::raise);
            }
        } else {
            for (std::size_t j = 0; j < cells; ++j) {
                const std::int8_t cell = from[static_cast<std::ptrdiff_t>(j) * a_k].value;
                to[j].value = static_cast<typename S::Part>(cell + S::raise);
            }
        }
        for (std::size_t j = cells; j % cells_in_word<S> != 0; ++j) {
            to[j].value = 0;
        }
    }
}

// Calls use(cells, top, height, left, columns, width) for one part of the product after the other, all columns of some
// rows before the next rows.
template <class S, class Call, class Use>
inline void byte_products(const Call &call, const Use &use) {
    constexpr std::size_t panel = ByteTiles<S>::panel;
    constexpr std::size_t depth = cells_in_word<S>;
    constexpr std::size_t words_in_segment = cells_in_segment / depth;
    const i8 *a = static_cast<const i8 *>(call.a);
    const std::size_t words = (call.k + depth - 1) / depth;
    ByteTiles<S> tiles;
    const auto set_chunk = [&](std::size_t top, std::size_t height, std::size_t from) {
        set_rows(
            a + static_cast<std::ptrdiff_t>(top) * call.a_row + static_cast<std::ptrdiff_t>(from * depth) * call.a_k,
            call.a_row, call.a_k, height, smaller_of(words_in_chunk * depth, call.k - from * depth), tiles);
    };
    for (std::size_t top = 0; top < call.m; top += S::rows) {
        const std::size_t height = smaller_of(S::rows, call.m - top);
        if (words <= words_in_chunk) {
            set_chunk(top, height, 0);
        }
        for (std::size_t left = 0; left < call.n; left += panel) {
            const std::size_t columns = smaller_of(panel, call.n - left);
            const std::size_t width = round_up(columns, S::lanes);
            const i32 *b = static_cast<const i32 *>(call.packed) + left * (words + 1);
            const i32 *raised = b + words * width;
            for (std::size_t from = 0; from < words; from += words_in_chunk) {
                if (words > words_in_chunk) {
                    set_chunk(top, height, from);
                }
                const std::size_t to = smaller_of(from + words_in_chunk, words);
                all_tiles<S>({tiles.a[0], words_in_chunk, b + from * width, 0, to - from, tiles.sums,
                              static_cast<std::ptrdiff_t>(width), S::lanes,
                              from % words_in_segment == 0 ? nullptr : tiles.sums, static_cast<std::ptrdiff_t>(width)},
                             height, width / S::lanes);
                if (words > words_in_segment && (to == words || to % words_in_segment == 0)) {
                    for (std::size_t i = 0; i < height * width; ++i) {
                        tiles.totals[i] = tiles.sums[i].value + (to <= words_in_segment ? 0 : tiles.totals[i]);
                    }
                }
            }
            for (std::size_t i = 0; i < height; ++i) {
                float *cells = tiles.cells + i * width;
                if (words > words_in_segment) {
                    for (std::size_t j = 0; j < width; ++j) {
                        cells[j] = static_cast<float>(tiles.totals[i * width + j] -
                                                      static_cast<double>(S::raise) * raised[j].value);
                    }
                } else {
                    for (std::size_t j = 0; j < width; ++j) {
                        cells[j] = static_cast<float>(tiles.sums[i * width + j].value - S::raise * raised[j].value);
                    }
                }
            }
            use(tiles.cells, top, height, left, columns, width);
        }
    }
}

template <class S>
inline void matmul_bytes(const Matmul &call) {
    const Matmul own = call;  // a copy: what is written may be anything, but not this
    byte_products<S>(own, [&](const float *cells, std::size_t top, std::size_t height, std::size_t left,
                              std::size_t columns, std::size_t width) {
        using Out = typename S::Out;
        for (std::size_t i = 0; i < height; ++i) {
            Out *out = static_cast<Out *>(own.out) + static_cast<std::ptrdiff_t>(top + i) * own.out_row + left;
            if (own.bias == nullptr) {
                std::size_t j = 0;
                for (; columns - j >= S::lanes; j += S::lanes) {  // a size known here needs no call
                    __builtin_memcpy(out + j, cells + i * width + j, S::lanes * sizeof(Out));
                }
                __builtin_memcpy(out + j, cells + i * width + j, (columns - j) * sizeof(Out));
                continue;
            }
            const Out *bias = static_cast<const Out *>(own.bias) + left;
            for (std::size_t j = 0; j < columns; ++j) {
                out[j].value = bias[j].value + cells[i * width + j];
            }
        }
    });
}

template <class S, bool largest>
inline void reduce_bytes(const MatmulReduce &call) {
    byte_products<S>(call, [&](const float *cells, std::size_t top, std::size_t height, std::size_t left,
                               std::size_t columns, std::size_t width) {
        using Out = typename S::Out;
        float best[ByteTiles<S>::panel];
        Out *out = static_cast<Out *>(call.out) + left;
        const bool any = top > 0 || call.accumulate;
        __builtin_memcpy(best, cells, width * sizeof(float));
        if (any) {
            __builtin_memcpy(best, out, columns * sizeof(float));
        }
        for (std::size_t i = any ? 0 : 1; i < height; ++i) {
            const float *next = cells + i * width;
            for (std::size_t j = 0; j < width; ++j) {
                const bool better = largest ? next[j] > best[j] : next[j] < best[j];
                best[j] = better || best[j] != best[j] ? next[j] : best[j];
            }
        }
        __builtin_memcpy(out, best, columns * sizeof(float));
    });
}

template <class S>
inline void matmul_reduce_bytes(const MatmulReduce &call) {
    const MatmulReduce own = call;
    if (own.reduction == MatmulReduction::max) {
        reduce_bytes<S, true>(own);
    } else {
        reduce_bytes<S, false>(own);
    }
}

template <class S>
inline void pack_bytes(const Pack &call) {
    using Part = Cell<typename S::PartOfB>;
    constexpr std::size_t panel = ByteTiles<S>::panel;
    constexpr std::size_t depth = cells_in_word<S>;
    const auto [first, b_k, b_n, k, n, packed] = call;
    const i8 *b = static_cast<const i8 *>(first);
    const std::size_t words = (k + depth - 1) / depth;
    for (std::size_t left = 0; left < n; left += panel) {
        const std::size_t columns = smaller_of(panel, n - left);
        const std::size_t width = round_up(columns, S::lanes);
        i32 *to = static_cast<i32 *>(packed) + left * (words + 1);
        i32 *raised = to + words * width;
        __builtin_memset(raised, 0, width * sizeof(i32));
        for (std::size_t i = 0; i < words * depth; ++i) {
            Part *parts = reinterpret_cast<Part *>(to + i / depth * width) + i % depth;
            const i8 *from = b + static_cast<std::ptrdiff_t>(i) * b_k + static_cast<std::ptrdiff_t>(left) * b_n;
            for (std::size_t j = 0; j < width; ++j) {
                const bool inside = i < k && j < columns;
                const std::int8_t cell = inside ? from[static_cast<std::ptrdiff_t>(j) * b_n].value : std::int8_t{0};
                parts[j * depth].value = cell;
                raised[j].value += cell;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
