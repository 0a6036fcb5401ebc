// Rewrites operand b into panels of columns, as matmul-inl.h describes them.
#pragma once

#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/matmul/tiles-inl.h"

namespace tenrex::kernels {
namespace {

// A square of cells, rows as columns, through registers of 128 bits.
template <class Cell>
inline void transpose_square(const Cell *from, std::ptrdiff_t stride, Cell *to, std::size_t width) {
    if constexpr (__is_same(Cell, f32)) {
        using Lanes = float __attribute__((vector_size(16)));
        Lanes in[4];
        for (std::ptrdiff_t i = 0; i < 4; ++i) {
            __builtin_memcpy(&in[i], from + i * stride, sizeof(Lanes));
        }
        const Lanes low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
        const Lanes low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
        const Lanes high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
        const Lanes high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
        const Lanes out[4] = {
            __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
            __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
        for (std::size_t i = 0; i < 4; ++i) {
            __builtin_memcpy(to + i * width, &out[i], sizeof(Lanes));
        }
    } else {
        using Lanes = double __attribute__((vector_size(16)));
        Lanes in[2];
        __builtin_memcpy(&in[0], from, sizeof(Lanes));
        __builtin_memcpy(&in[1], from + stride, sizeof(Lanes));
        const Lanes out[2] = {__builtin_shufflevector(in[0], in[1], 0, 2), __builtin_shufflevector(in[0], in[1], 1, 3)};
        __builtin_memcpy(to, &out[0], sizeof(Lanes));
        __builtin_memcpy(to + width, &out[1], sizeof(Lanes));
    }
}

// One panel from any strides.
template <class Cell>
inline void pack_panel(const Cell *b, std::ptrdiff_t b_k, std::ptrdiff_t b_n, std::size_t k, std::size_t columns,
                       std::size_t width, Cell *to) {
    constexpr std::size_t side = 16 / sizeof(Cell);
    const std::size_t in_squares_k = b_k == 1 ? k / side * side : 0;
    const std::size_t in_squares_n = columns / side * side;
    for (std::size_t i = 0; i < in_squares_k; i += side) {
        for (std::size_t j = 0; j < in_squares_n; j += side) {
            transpose_square(b + i + static_cast<std::ptrdiff_t>(j) * b_n, b_n, to + i * width + j, width);
        }
    }
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = i < in_squares_k ? in_squares_n : 0; j < columns; ++j) {
            to[i * width + j] = b[static_cast<std::ptrdiff_t>(i) * b_k + static_cast<std::ptrdiff_t>(j) * b_n];
        }
        for (std::size_t j = columns; j < width; ++j) {
            to[i * width + j] = {};
        }
    }
}

// One panel from rows of contiguous cells.
template <class S, std::size_t vectors>
inline void pack_rows_of(const typename S::Cell *b, std::ptrdiff_t b_k, std::size_t k, std::size_t in_last,
                         typename S::Cell *to) {
    constexpr std::size_t last = (vectors - 1) * S::lanes;
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j < last; j += S::lanes) {
            S::store(to + j, S::load(b + j));
        }
        S::store(to + last, in_last == S::lanes ? S::load(b + last) : S::load(b + last, in_last));
        b += b_k;
        to += last + S::lanes;
    }
}
template <class S, std::size_t most = S::panel>
inline void pack_rows(const typename S::Cell *b, std::ptrdiff_t b_k, std::size_t k, std::size_t vectors,
                      std::size_t in_last, typename S::Cell *to) {
    if constexpr (most > 1) {
        if (vectors < most) {
            return pack_rows<S, most - 1>(b, b_k, k, vectors, in_last, to);
        }
    }
    pack_rows_of<S, most>(b, b_k, k, in_last, to);
}

template <class S>
inline void pack(const Pack &call) {
    using Cell = typename S::Cell;
    constexpr std::size_t panel = S::panel * S::lanes;
    const auto [first, b_k, b_n, k, n, packed] = call;
    for (std::size_t left = 0; left < n; left += panel) {
        const std::size_t columns = smaller_of(panel, n - left);
        const std::size_t width = round_up(columns, S::lanes);
        const Cell *b = static_cast<const Cell *>(first) + static_cast<std::ptrdiff_t>(left) * b_n;
        Cell *to = static_cast<Cell *>(packed) + left * k;
        if (b_n == 1) {
            pack_rows<S>(b, b_k, k, width / S::lanes, columns + S::lanes - width, to);
        } else {
            pack_panel(b, b_k, b_n, k, columns, width, to);
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
