// Attention in bfloat16 cells, with the instructions for their products; vectors have 512 bits. Scores and powers are
// floats; what they are multiplied with values as is rounded.
//
// Queries are taken in strips. The scores of a strip lie as the tiles of the product write them, panel after panel of
// keys, and stay there until they are weights: those are rows of words again, two keys in each.
#pragma once

#include <immintrin.h>

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/attention/results-inl.h"
#include "lib/kernels/attention/rounded_weights-inl.h"
#include "lib/kernels/matmul/words-inl.h"
#include "lib/kernels/tile/transpose-inl.h"

namespace tenrex::kernels {
namespace {

static_assert(FloatLanes::lanes == 16);

inline const bf16 *halves_of(const Attention::Rows &rows, std::size_t head, std::size_t row) {
    return static_cast<const bf16 *>(rows.cells) + static_cast<std::ptrdiff_t>(head) * rows.head +
           static_cast<std::ptrdiff_t>(row) * rows.row;
}

// Rows of cells, as words that are filled up with zeros.
inline void set_words(const bf16 *cells, std::ptrdiff_t row, std::size_t count, std::size_t width, std::size_t words,
                      i32 *to) {
    for (std::size_t i = 0; i < count; ++i) {
        char *const bytes = reinterpret_cast<char *>(to + i * words);
        __builtin_memcpy(bytes, cells + static_cast<std::ptrdiff_t>(i) * row, width * sizeof(bf16));
        __builtin_memset(bytes + width * sizeof(bf16), 0, words * sizeof(i32) - width * sizeof(bf16));
    }
}

// Calls use(first one, how many) for the columns of each panel.
template <class S, class Use>
inline void for_panels(std::size_t columns, const Use &use) {
    constexpr std::size_t panel = S::panel * S::lanes;
    for (std::size_t left = 0; left < columns; left += panel) {
        use(left, smaller_of(panel, columns - left));
    }
}

// A column for each key, in words of two cells.
template <class S>
inline void pack_keys(const bf16 *keys, std::ptrdiff_t row, std::size_t count, std::size_t width, std::size_t words,
                      i32 *packed) {
    for_panels<S>(round_up(count, S::lanes), [&](std::size_t left, std::size_t columns) {
        const std::size_t own = smaller_of(columns, count - left);
        const bf16 *const first = keys + static_cast<std::ptrdiff_t>(left) * row;
        i32 *const to = packed + left * words;
        if (own < columns || 2 * words != width) {
            __builtin_memset(to, 0, words * columns * sizeof(i32));
        }
        tile_transpose<std::uint32_t, FloatLanes>({reinterpret_cast<std::byte *>(to),
                                                   static_cast<std::ptrdiff_t>(columns * sizeof(i32)),
                                                   reinterpret_cast<const std::byte *>(first),
                                                   row * static_cast<std::ptrdiff_t>(sizeof(bf16)), own, width / 2});
        if (width % 2 != 0) {
            for (std::size_t j = 0; j < own; ++j) {
                to[width / 2 * columns + j].value = first[static_cast<std::ptrdiff_t>(j) * row + width - 1].value;
            }
        }
    });
}

// A column for each cell of a value, in words of two keys.
template <class S>
inline void pack_values(const bf16 *values, std::ptrdiff_t row, std::size_t count, std::size_t width, std::size_t words,
                        i32 *packed) {
    for_panels<S>(round_up(width, S::lanes), [&](std::size_t left, std::size_t columns) {
        i32 *to = packed + left * words;
        const auto of_key = [&](std::size_t key, std::size_t j) {
            const std::size_t own = width - left - j;
            const auto mask = static_cast<__mmask16>(own >= S::lanes ? 0xFFFFU : (1U << own) - 1);
            return key < count ? _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(
                                     mask, values + static_cast<std::ptrdiff_t>(key) * row + left + j))
                               : _mm512_setzero_si512();
        };
        for (std::size_t i = 0; i < words; ++i, to += columns) {
            for (std::size_t j = 0; j < columns; j += S::lanes) {
                _mm512_storeu_si512(to + j,
                                    _mm512_or_si512(of_key(2 * i, j), _mm512_slli_epi32(of_key(2 * i + 1, j), 16)));
            }
        }
    });
}

// Rows of words by packed columns. The sums of a panel are rows as wide as it is, and those of the next one begin
// `capacity` rows behind them.
template <class S>
inline void multiply_words(const i32 *rows, std::size_t words, const i32 *packed, std::size_t columns,
                           std::size_t height, std::size_t capacity, i32 *sums) {
    constexpr std::size_t chunk = S::words_in_chunk;
    for_panels<S>(columns, [&](std::size_t left, std::size_t width) {
        const auto width_of_row = static_cast<std::ptrdiff_t>(width);
        i32 *const out = sums + left * capacity;
        for (std::size_t from = 0; from < words; from += chunk) {
            S::multiply(
                {rows + from, static_cast<std::ptrdiff_t>(words), packed + left * words + from * width, 0,
                 smaller_of(chunk, words - from), out, width_of_row, S::lanes, from == 0 ? nullptr : out, width_of_row},
                height, width / S::lanes);
        }
    });
}

// S: the tiles of the products; most: queries that are taken at a time.
template <class S, std::size_t most>
inline void attend_in_halves(const Attention &call) {
    const std::size_t keys = call.key_count;
    if (keys == 0) {
        set_results_to_zero(call);
        return;
    }
    const HalvesRoom room(keys, call.width, call.columns, most);
    i32 *const packed_keys = static_cast<i32 *>(call.room);
    i32 *const packed_values = packed_keys + room.keys();
    i32 *const queries = packed_values + room.values();
    i32 *const weights = queries + room.queries();
    i32 *const scores = weights + room.weights();
    i32 *const results = scores + room.scores();
    // With many keys, so few queries that their scores stay in the first-level cache.
    constexpr std::size_t many_keys = 256;
    const std::size_t capacity = keys > many_keys ? most / 2 : most;
    const RoundedWeights<S> making(call, reinterpret_cast<f32 *>(scores), capacity);
    for (std::size_t head = 0; head < call.heads; ++head) {
        pack_keys<S>(halves_of(call.keys, head, 0), call.keys.row, keys, call.width, room.key_words, packed_keys);
        pack_values<S>(halves_of(call.values, head, 0), call.values.row, keys, call.columns, room.value_words,
                       packed_values);
        for (std::size_t first = 0, height = 0; first < call.query_count; first += height) {
            height = smaller_of(capacity, call.query_count - first);
            set_words(halves_of(call.queries, head, first), call.queries.row, height, call.width, room.key_words,
                      queries);
            multiply_words<S>(queries, room.key_words, packed_keys, round_up(keys, S::lanes), height, capacity, scores);
            for (std::size_t i = 0; i < height; ++i) {
                const f32 *const mask = call.masking == AttentionMask::none
                                            ? nullptr
                                            : static_cast<const f32 *>(call.mask.cells) +
                                                  static_cast<std::ptrdiff_t>(head) * call.mask.head +
                                                  static_cast<std::ptrdiff_t>(first + i) * call.mask.row;
                making.make(i, mask, reinterpret_cast<bf16 *>(weights + i * room.value_words), room.value_words);
            }
            const std::size_t columns = round_up(call.columns, S::lanes);
            multiply_words<S>(weights, room.value_words, packed_values, columns, height, capacity, results);
            for (std::size_t i = 0; i < height; ++i) {
                f32 *const out = row_of_result(call, head, first + i);
                for_row<S>(reinterpret_cast<f32 *>(results), columns, capacity, i,
                           [&](const f32 *cells, std::size_t at, auto vectors) {
                               __builtin_memcpy(out + at, cells,
                                                smaller_of(vectors * S::lanes, call.columns - at) * sizeof(f32));
                           });
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
