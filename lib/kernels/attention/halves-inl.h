// Attention in bfloat16 cells, with the instructions for their products; vectors have 512 bits. Scores and powers are
// floats; what they are multiplied with values as is rounded.
//
// Queries are taken in strips. The scores of a strip lie as the tiles of the product write them, panel after panel of
// keys, and stay there until they are weights: those are rows of words again, two keys in each.
#pragma once

#include <immintrin.h>

#include <type_traits>

#include "lib/kernels/attention/attention.h"
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

// A column for each key, in words of two cells.
template <class S>
inline void pack_keys(const bf16 *keys, std::ptrdiff_t row, std::size_t count, std::size_t width, std::size_t words,
                      i32 *packed) {
    constexpr std::size_t panel = S::panel * S::lanes;
    const std::size_t all = round_up(count, S::lanes);
    for (std::size_t left = 0; left < all; left += panel) {
        const std::size_t columns = smaller_of(panel, all - left);
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
    }
}

// A column for each cell of a value, in words of two keys.
template <class S>
inline void pack_values(const bf16 *values, std::ptrdiff_t row, std::size_t count, std::size_t width, std::size_t words,
                        i32 *packed) {
    constexpr std::size_t panel = S::panel * S::lanes;
    const std::size_t all = round_up(width, S::lanes);
    for (std::size_t left = 0; left < all; left += panel) {
        const std::size_t columns = smaller_of(panel, all - left);
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
    }
}

// Rows of words by packed columns. The sums of a panel are rows as wide as it is, and those of the next one begin
// `capacity` rows behind them.
template <class S>
inline void multiply_words(const i32 *rows, std::size_t words, const i32 *packed, std::size_t columns,
                           std::size_t height, std::size_t capacity, i32 *sums) {
    constexpr std::size_t panel = S::panel * S::lanes;
    constexpr std::size_t chunk = S::words_in_chunk;
    for (std::size_t left = 0; left < columns; left += panel) {
        const std::size_t width = smaller_of(panel, columns - left);
        const auto width_of_row = static_cast<std::ptrdiff_t>(width);
        i32 *const out = sums + left * capacity;
        for (std::size_t from = 0; from < words; from += chunk) {
            S::multiply(
                {rows + from, static_cast<std::ptrdiff_t>(words), packed + left * words + from * width, 0,
                 smaller_of(chunk, words - from), out, width_of_row, S::lanes, from == 0 ? nullptr : out, width_of_row},
                height, width / S::lanes);
        }
    }
}

// The row of a strip of sums: use(cells, place of the first one, how many vectors), which is a constant.
template <class S, class Use>
inline void for_row(f32 *sums, std::size_t columns, std::size_t capacity, std::size_t row, const Use &use) {
    constexpr std::size_t panel = S::panel * S::lanes;
    std::size_t left = 0;
    for (; columns - left >= panel; left += panel) {
        use(sums + left * capacity + row * panel, left, std::integral_constant<std::size_t, S::panel>());
    }
    for (std::size_t j = 0; left + j < columns; j += S::lanes) {
        use(sums + left * capacity + row * (columns - left) + j, left + j, std::integral_constant<std::size_t, 1>());
    }
}

// 2^t = 2^floor(t) * 2^rest; the polynomial is off by less than 2^-13 of the power of the rest.
inline __m512 power_of_two(__m512 t) {
    constexpr int below = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    const __m512 rest = _mm512_reduce_ps(t, below);
    __m512 power = _mm512_set1_ps(0x1.3f96a4p-4F);
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.cefc4cp-3F));
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.64444cp-1F));
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.fff632p-1F));
    return _mm512_scalef_ps(power, t);
}

// The softmax of rows of scores.
template <class S>
class Weights {
public:
    Weights(const Attention &call, f32 *scores, std::size_t capacity)
        : call_(call),
          scores_(scores),
          capacity_(capacity),
          columns_(round_up(call.key_count, S::lanes)),
          scales_first_(call.masking != AttentionMask::none || !(call.scale > 0)) {}

    // mask: of the row; null without one.
    void make(std::size_t row, const f32 *mask, bf16 *weights, std::size_t words) const {
        fill_up(row);
        if (scales_first_) {
            scale(row, mask);
        }
        const float sum = raise(row, call_.subtracts_max ? largest(row) : 0);
        // A sum with the power of the largest score is at least about 1.
        if (call_.subtracts_max) {
            const __m512 factor = _mm512_set1_ps(1 / sum);
            store(row, weights, words, [&](__m512 power) { return _mm512_mul_ps(power, factor); });
        } else {
            const __m512 divisor = _mm512_set1_ps(sum);
            store(row, weights, words, [&](__m512 power) { return _mm512_div_ps(power, divisor); });
        }
    }

private:
    template <class Use>
    void for_row_of(std::size_t row, const Use &use) const {
        for_row<S>(scores_, columns_, capacity_, row, use);
    }

    // What is behind the last key has no weight.
    void fill_up(std::size_t row) const {
        const std::size_t own = call_.key_count % S::lanes;
        if (own == 0) {
            return;
        }
        constexpr std::size_t panel = S::panel * S::lanes;
        const std::size_t left = call_.key_count / panel * panel;
        f32 *const last = scores_ + left * capacity_ + row * (columns_ - left) + (columns_ - left - S::lanes);
        _mm512_mask_storeu_ps(last, static_cast<__mmask16>(0xFFFFU << own), _mm512_set1_ps(-__builtin_inff()));
    }

    void scale(std::size_t row, const f32 *mask) const {
        const __m512 factor = _mm512_set1_ps(call_.scale);
        const __m512 otherwise = _mm512_set1_ps(call_.otherwise);
        const bool by_key = call_.mask.cell != 0;
        for_row_of(row, [&](f32 *cells, std::size_t first, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const std::size_t key = first + v * S::lanes;
                const std::size_t left = call_.key_count - key;
                const auto own = static_cast<__mmask16>(left >= S::lanes ? 0xFFFFU : (1U << left) - 1);
                const __m512 score = _mm512_loadu_ps(cells + v * S::lanes);
                __m512 x = _mm512_mul_ps(score, factor);
                if (mask != nullptr) {
                    const __m512 of_key = by_key ? _mm512_maskz_loadu_ps(own, mask + key) : _mm512_set1_ps(mask->value);
                    x = call_.masking == AttentionMask::added
                            ? _mm512_add_ps(x, of_key)
                            : _mm512_mask_mov_ps(otherwise,
                                                 _mm512_cmp_ps_mask(of_key, _mm512_setzero_ps(), _CMP_NEQ_UQ), x);
                }
                _mm512_storeu_ps(cells + v * S::lanes, _mm512_mask_mov_ps(score, own, x));
            }
        });
    }

    float largest(std::size_t row) const {
        __m512 best[S::panel];
        for (__m512 &own : best) {
            own = _mm512_set1_ps(-__builtin_inff());
        }
        for_row_of(row, [&](const f32 *cells, std::size_t, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                best[v] = _mm512_max_ps(_mm512_loadu_ps(cells + v * S::lanes), best[v]);  // not if it is NaN
            }
        });
        for (std::size_t v = 1; v < S::panel; ++v) {
            best[0] = _mm512_max_ps(best[v], best[0]);
        }
        return _mm512_reduce_max_ps(best[0]);
    }

    // The powers, in place; their sum.
    float raise(std::size_t row, float subtracted) const {
        constexpr float by_ln2 = 0x1.715476p+0F;
        const __m512 factor = _mm512_set1_ps(scales_first_ ? by_ln2 : call_.scale * by_ln2);
        const __m512 least = _mm512_set1_ps(subtracted);
        __m512 sum[S::panel];
        for (__m512 &own : sum) {
            own = _mm512_setzero_ps();
        }
        for_row_of(row, [&](f32 *cells, std::size_t, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const __m512 x = _mm512_sub_ps(_mm512_loadu_ps(cells + v * S::lanes), least);
                const __m512 power = power_of_two(_mm512_mul_ps(x, factor));
                sum[v] = _mm512_add_ps(sum[v], power);
                _mm512_storeu_ps(cells + v * S::lanes, power);
            }
        });
        for (std::size_t v = 1; v < S::panel; ++v) {
            sum[0] = _mm512_add_ps(sum[0], sum[v]);
        }
        return _mm512_reduce_add_ps(sum[0]);
    }

    template <class Divide>
    void store(std::size_t row, bf16 *weights, std::size_t words, const Divide &divided) const {
        for_row_of(row, [&](const f32 *cells, std::size_t first, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const __m512 power = _mm512_loadu_ps(cells + v * S::lanes);
                const __m256bh rounded = _mm512_cvtneps_pbh(divided(power));
                __builtin_memcpy(weights + first + v * S::lanes, &rounded, sizeof(rounded));
            }
        });
        __builtin_memset(weights + columns_, 0, (2 * words - columns_) * sizeof(bf16));
    }

    const Attention &call_;
    f32 *scores_;
    std::size_t capacity_;
    std::size_t columns_;
    bool scales_first_;  // or else as the powers are made: the largest score is the same
};

// S: the tiles of the products; most: queries that are taken at a time.
template <class S, std::size_t most>
inline void attend_in_halves(const Attention &call) {
    const std::size_t keys = call.key_count;
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
    const Weights<S> making(call, reinterpret_cast<f32 *>(scores), capacity);
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
                f32 *const out = static_cast<f32 *>(call.out) + static_cast<std::ptrdiff_t>(head) * call.out_head +
                                 static_cast<std::ptrdiff_t>(first + i) * call.out_row;
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
