// The loop of kernels for attention whose products are those of floats: strips of queries, a tile high or two.
// The products are those of matmul-inl.h; between them the scores of a strip stay where they are. Cells of bfloat16 are
// widened: their products are exact in float.
#pragma once

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/attention/results-inl.h"
#include "lib/kernels/elementwise/exponential-inl.h"
#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

#define TENREX_KERNEL(operation, type, lanes, rows, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                  \
    AttentionFunction function;                                                          \
    inline constexpr std::size_t most_rows_of_##function = rows;                         \
    }
#include "lib/kernels/attention/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

inline const f32 *cells_of(const Attention::Rows &rows, std::size_t head, std::size_t row) {
    return static_cast<const f32 *>(rows.cells) + static_cast<std::ptrdiff_t>(head) * rows.head +
           static_cast<std::ptrdiff_t>(row) * rows.row;
}
inline char *bytes_of(f32 *cells, std::size_t at) {
    return reinterpret_cast<char *>(cells + at);
}

// Scores with scale and mask, in place, filled up to whole vectors with what has no weight; the largest of them.
template <class Lanes>
inline float masked_scores(f32 *scores, const Attention &call, const f32 *mask) {
    using V = typename Lanes::V;
    constexpr std::size_t lanes = Lanes::lanes;
    const V lowest = Lanes::all(-__builtin_inff());
    const V scale = Lanes::all(call.scale);
    const V otherwise = Lanes::all(call.otherwise);
    const bool by_key = call.mask.cell != 0;
    V best = lowest;
    for (std::size_t at = 0; at < call.key_count; at += lanes) {
        const std::size_t count = smaller_of(lanes, call.key_count - at);
        V x = Lanes::load(bytes_of(scores, at)) * scale;
        if (mask != nullptr) {
            V own = Lanes::all(mask->value);
            if (by_key) {
                const char *const first = reinterpret_cast<const char *>(mask + at);
                own = count == lanes ? Lanes::load(first) : Lanes::load(first, count);
            }
            x = call.masking == AttentionMask::added ? x + own : (own != Lanes::all(0) ? x : otherwise);
        }
        x = count == lanes ? x : filled_up<float>(x, count, lowest);
        best = Lanes::larger(x, best);  // not if x is NaN
        Lanes::store(bytes_of(scores, at), x);
    }
    return join_lanes<reduction::Maximum, float>(best);
}

// The powers of scores, in place; their sum.
template <class Lanes>
inline float powers_of_scores(f32 *scores, std::size_t count, float largest) {
    using V = typename Lanes::V;
    const V subtracted = Lanes::all(largest);
    V sum = {};
    for (std::size_t at = 0; at < count; at += Lanes::lanes) {
        const V power = exponential<Lanes>(Lanes::load(bytes_of(scores, at)) - subtracted);
        sum = sum + power;
        Lanes::store(bytes_of(scores, at), power);
    }
    return static_cast<float>(join_lanes<reduction::Sum, double>(sum));
}

// Powers divided by their sum and rounded to the nearest bfloat16, in place: 2^16+1 times a number less what that is
// more than the number has no bits that bfloat16 lacks.
template <class Lanes>
inline void round_weights(f32 *powers, std::size_t count, float sum) {
    using V = typename Lanes::V;
    for (std::size_t at = 0; at < count; at += Lanes::lanes) {
        const V weight = Lanes::load(bytes_of(powers, at)) / Lanes::all(sum);
        const V raised = weight * 65537.0F;
        Lanes::store(bytes_of(powers, at), raised - (raised - weight));
    }
}

// Rows of bfloat16 cells as floats, one after the other.
inline void widen_rows(const Attention::Rows &rows, std::size_t head, std::size_t first, std::size_t count,
                       std::size_t width, f32 *to) {
    for (std::size_t i = 0; i < count; ++i) {
        const bf16 *const from = static_cast<const bf16 *>(rows.cells) + static_cast<std::ptrdiff_t>(head) * rows.head +
                                 static_cast<std::ptrdiff_t>(first + i) * rows.row;
        for (std::size_t j = 0; j < width; ++j) {
            to[i * width + j].value = __builtin_bit_cast(float, std::uint32_t{from[j].value} << 16);
        }
    }
}

template <class Lanes>
inline void divide_cells(f32 *cells, std::size_t count, float divisor) {
    std::size_t at = 0;
    for (; count - at >= Lanes::lanes; at += Lanes::lanes) {
        Lanes::store(bytes_of(cells, at), Lanes::load(bytes_of(cells, at)) / Lanes::all(divisor));
    }
    if (at < count) {
        Lanes::store(bytes_of(cells, at), Lanes::load(bytes_of(cells, at), count - at) / Lanes::all(divisor),
                     count - at);
    }
}

// Rows of a head from one on, as the products read them.
struct FloatRows {
    const f32 *cells;
    std::ptrdiff_t row, cell;
};
template <bool in_halves>
inline FloatRows float_rows(const Attention::Rows &rows, std::size_t head, std::size_t first, std::size_t count,
                            std::size_t width, f32 *room) {
    if constexpr (in_halves) {
        widen_rows(rows, head, first, count, width, room);
        return {room, static_cast<std::ptrdiff_t>(width), 1};
    }
    return {cells_of(rows, head, first), rows.row, rows.cell};
}

// The most queries of a strip: they are tiles of the full height, as products of lower ones take longer.
template <class S>
constexpr std::size_t strip_rows = round_up(10, S::tallest[S::panel - 1]);
inline constexpr std::size_t strips_in_place = 2;

// S: the tiles of the products; in_halves: queries, keys and values are bfloat16, and weights are rounded.
template <class S, class Lanes, bool in_halves>
inline void attend(const Attention &call) {
    const std::size_t keys = call.key_count;
    const std::size_t columns = call.columns;
    constexpr std::size_t lanes = S::lanes;
    if (keys == 0) {
        set_results_to_zero(call);
        return;
    }
    f32 *const packed_keys = static_cast<f32 *>(call.room);
    f32 *const packed_values = packed_keys + round_up(keys, lanes) * call.width;
    f32 *const scores = packed_values + keys * round_up(columns, lanes);
    // Rows that begin in different sets of the cache.
    const std::size_t score_row = round_up(keys, lanes) + lanes;
    f32 *const wide_queries = scores + strip_rows<S> * score_row;
    f32 *const wide_rows = wide_queries + strip_rows<S> * call.width;
    const std::size_t strips = (call.query_count + strip_rows<S> - 1) / strip_rows<S>;
    for (std::size_t head = 0; head < call.heads; ++head) {
        const FloatRows own_keys = float_rows<in_halves>(call.keys, head, 0, keys, call.width, wide_rows);
        pack<S>({own_keys.cells, own_keys.cell, own_keys.row, call.width, keys, packed_keys});
        const FloatRows own_values = float_rows<in_halves>(call.values, head, 0, keys, columns, wide_rows);
        const f32 *values = own_values.cells;
        // Rows of values that are whole vectors are read where they are; but not often if they are far apart, because
        // many pages of memory take long to find.
        const bool are_together = own_values.row == static_cast<std::ptrdiff_t>(columns);
        const bool in_place = own_values.cell == 1 && own_values.row != 0 && columns % lanes == 0 &&
                              (are_together || strips <= strips_in_place);
        if (!in_place) {
            pack<S>({values, own_values.row, own_values.cell, keys, columns, packed_values});
            values = packed_values;
        }
        std::size_t first = 0;
        for (std::size_t strip = 0; strip < strips; ++strip) {
            // Strips of two heights that differ by one.
            const std::size_t height = (call.query_count - first) / (strips - strip);
            const FloatRows queries =
                float_rows<in_halves>(call.queries, head, first, height, call.width, wide_queries);
            matmul<S>({queries.cells, queries.row, queries.cell, packed_keys, height, keys, call.width, nullptr, scores,
                       static_cast<std::ptrdiff_t>(score_row)});
            float sums[strip_rows<S>];
            for (std::size_t i = 0; i < height; ++i) {
                f32 *const own = scores + i * score_row;
                const f32 *const mask =
                    call.masking == AttentionMask::none ? nullptr : cells_of(call.mask, head, first + i);
                const float largest = masked_scores<Lanes>(own, call, mask);
                sums[i] = powers_of_scores<Lanes>(own, keys, call.subtracts_max ? largest : 0);
                if constexpr (in_halves) {
                    round_weights<Lanes>(own, keys, sums[i]);
                }
            }
            matmul<S>({scores, static_cast<std::ptrdiff_t>(score_row), 1, values, height, columns, keys, nullptr,
                       row_of_result(call, head, first), call.out_row, MatmulActivation::none,
                       in_place ? own_values.row : 0});
            if constexpr (!in_halves) {
                for (std::size_t i = 0; i < height; ++i) {
                    divide_cells<Lanes>(row_of_result(call, head, first + i), columns, sums[i]);
                }
            }
            first += height;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
