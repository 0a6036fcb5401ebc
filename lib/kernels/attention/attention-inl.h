// The loop of all kernels for attention: strips of queries, as many as a tile has rows. The products are those of
// matmul-inl.h; between them the scores of a strip stay where they are.
#pragma once

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/elementwise/exponential-inl.h"
#include "lib/kernels/matmul/matmul-inl.h"
#include "lib/kernels/reduce/reduce_row-inl.h"

#define TENREX_KERNEL(operation, type, lanes, rows, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                  \
    AttentionFunction function;                                                          \
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

// S: the tiles of the products.
template <class S, class Lanes>
inline void attend(const Attention &call) {
    const std::size_t keys = call.key_count;
    const std::size_t columns = call.columns;
    constexpr std::size_t lanes = S::lanes;
    const auto row_of_result = [&](std::size_t head, std::size_t query) {
        return static_cast<f32 *>(call.out) + static_cast<std::ptrdiff_t>(head) * call.out_head +
               static_cast<std::ptrdiff_t>(query) * call.out_row;
    };
    if (keys == 0) {
        for (std::size_t head = 0; head < call.heads; ++head) {
            for (std::size_t query = 0; query < call.query_count; ++query) {
                __builtin_memset(row_of_result(head, query), 0, columns * sizeof(f32));
            }
        }
        return;
    }
    f32 *const packed_keys = static_cast<f32 *>(call.room);
    f32 *const packed_values = packed_keys + round_up(keys, lanes) * call.width;
    f32 *const scores = packed_values + keys * round_up(columns, lanes);
    // Rows that begin in different sets of the cache.
    const std::size_t score_row = round_up(keys, lanes) + lanes;
    // Rows of values that are whole vectors are read where they are.
    const bool in_place = call.values.cell == 1 && call.values.row != 0 && columns % lanes == 0;
    const std::size_t strips = (call.query_count + S::rows - 1) / S::rows;
    for (std::size_t head = 0; head < call.heads; ++head) {
        pack<S>({cells_of(call.keys, head, 0), call.keys.cell, call.keys.row, call.width, keys, packed_keys});
        const f32 *values = cells_of(call.values, head, 0);
        if (!in_place) {
            pack<S>({values, call.values.row, call.values.cell, keys, columns, packed_values});
            values = packed_values;
        }
        std::size_t first = 0;
        for (std::size_t strip = 0; strip < strips; ++strip) {
            // Strips of two heights that differ by one.
            const std::size_t height = (call.query_count - first) / (strips - strip);
            matmul<S>({cells_of(call.queries, head, first), call.queries.row, call.queries.cell, packed_keys, height,
                       keys, call.width, nullptr, scores, static_cast<std::ptrdiff_t>(score_row)});
            float sums[S::rows];
            for (std::size_t i = 0; i < height; ++i) {
                f32 *const own = scores + i * score_row;
                const f32 *const mask =
                    call.masking == AttentionMask::none ? nullptr : cells_of(call.mask, head, first + i);
                const float largest = masked_scores<Lanes>(own, call, mask);
                sums[i] = powers_of_scores<Lanes>(own, keys, call.subtracts_max ? largest : 0);
            }
            matmul<S>({scores, static_cast<std::ptrdiff_t>(score_row), 1, values, height, columns, keys, nullptr,
                       row_of_result(head, first), call.out_row, MatmulActivation::none,
                       in_place ? call.values.row : 0});
            for (std::size_t i = 0; i < height; ++i) {
                divide_cells<Lanes>(row_of_result(head, first + i), columns, sums[i]);
            }
            first += height;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
