// Rewrites operand b into panels of columns, as matmul-inl.h describes them.
#pragma once

#include "lib/kernels/matmul/matmul.h"
#include "lib/kernels/matmul/tiles-inl.h"
#include "lib/kernels/tile/transpose-inl.h"

namespace tenrex::kernels {
namespace {

// One panel from any strides.
template <class Cell>
inline void pack_panel(const Cell *b, std::ptrdiff_t b_k, std::ptrdiff_t b_n, std::size_t k, std::size_t columns,
                       std::size_t width, Cell *to) {
    if (b_k == 1) {
        using Word = typename NumberFormat<decltype(Cell::value)>::Unsigned;
        constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(Cell));
        tile_transpose<Word, FloatLanes>({reinterpret_cast<std::byte *>(to), static_cast<std::ptrdiff_t>(width) * bytes,
                                          reinterpret_cast<const std::byte *>(b), b_n * bytes, columns, k});
    } else {
        for (std::size_t i = 0; i < k; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                to[i * width + j] = b[static_cast<std::ptrdiff_t>(i) * b_k + static_cast<std::ptrdiff_t>(j) * b_n];
            }
        }
    }
    if (columns != width) {
        for (std::size_t i = 0; i < k; ++i) {
            for (std::size_t j = columns; j < width; ++j) {
                to[i * width + j] = {};
            }
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
