// Matrices whose rows become columns, in squares of vectors. A vector takes 16 bytes of a row into each of its lanes of
// 128 bits, so that shuffles stay within lanes.
#pragma once

#include <utility>

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/tile/tile.h"

namespace tenrex::kernels {
namespace {

// The bits of one place.
struct OnePlace {
    typedef float V __attribute__((vector_size(16)));
    static V from_places(const char *first, std::ptrdiff_t /*apart*/) {
        V bits;
        __builtin_memcpy(&bits, first, sizeof(bits));
        return bits;
    }
};

// A column for each cell of a lane, and as many rows as a vector has cells.
template <class Word, class Lanes>
struct Square {
    static constexpr std::size_t columns = transposed_at_once(sizeof(Word));
    static constexpr std::size_t lanes = sizeof(typename Lanes::V) / 16;
    static constexpr std::size_t rows = columns * lanes;
    typedef Word V __attribute__((vector_size(16 * lanes)));

    // The cells of the lower or upper halves of all lanes in turn.
    template <std::size_t first, std::size_t... i>
    static V interleaved(V a, V b, std::index_sequence<i...> /*cells*/) {
        return __builtin_shufflevector(a, b,
                                       (i / columns * columns + first + i % columns / 2 + i % 2 * columns * lanes)...);
    }

    struct Rows {
        V row[columns];
    };
    // Rows i and i + columns/2 are shuffled like cards, as often as it takes until cell i of row j is cell j of row i.
    template <std::size_t rest, std::size_t... i>
    static Rows shuffled(const Rows &in, std::index_sequence<i...> all) {
        if constexpr (rest == 1) {
            return in;
        } else {
            return shuffled<rest / 2>({{interleaved<i % 2 * (columns / 2)>(in.row[i / 2], in.row[i / 2 + columns / 2],
                                                                           std::make_index_sequence<rows>())...}},
                                      all);
        }
    }
    template <std::size_t... i>
    static void transpose(char *to, std::ptrdiff_t to_stride, const char *from, std::ptrdiff_t from_stride,
                          std::index_sequence<i...> all) {
        // Rows i, i + columns, ... are in the lanes of one vector.
        const std::ptrdiff_t apart = static_cast<std::ptrdiff_t>(columns) * from_stride;
        const Rows turned = shuffled<columns>(
            {{__builtin_bit_cast(V,
                                 Lanes::from_places(from + static_cast<std::ptrdiff_t>(i) * from_stride, apart))...}},
            all);
        (__builtin_memcpy(to + static_cast<std::ptrdiff_t>(i) * to_stride, &turned.row[i], sizeof(V)), ...);
    }
};

// As many rows from `row` on as are whole squares; returns where the rest begins. Lines of the cache are read once:
// squares beside each other come first.
template <class Word, class Lanes>
inline std::size_t transpose_squares(const Transposition &matrix, std::size_t row, std::size_t columns) {
    using Part = Square<Word, Lanes>;
    constexpr std::size_t at_once = 64 / sizeof(Word);
    const std::size_t end = row + (matrix.rows - row) / Part::rows * Part::rows;
    const char *const first = reinterpret_cast<const char *>(matrix.from);
    const std::ptrdiff_t down = static_cast<std::ptrdiff_t>(Part::columns) * matrix.to_stride;
    for (std::size_t group = 0; group < columns; group += at_once) {
        const std::size_t group_end = group + at_once < columns ? group + at_once : columns;
        for (std::size_t i = row; i < end; i += Part::rows) {
            const char *from = first + static_cast<std::ptrdiff_t>(i) * matrix.from_stride + group * sizeof(Word);
            char *to = reinterpret_cast<char *>(matrix.to) + static_cast<std::ptrdiff_t>(group) * matrix.to_stride +
                       i * sizeof(Word);
            for (std::size_t j = group; j < group_end; j += Part::columns, from += 16, to += down) {
                Part::transpose(to, matrix.to_stride, from, matrix.from_stride,
                                std::make_index_sequence<Part::columns>());
            }
        }
    }
    return end;
}

// Lanes: those of the target for floats.
template <class Word, class Lanes>
void tile_transpose(const Transposition &matrix) noexcept {
    constexpr std::size_t side = transposed_at_once(sizeof(Word));
    const std::size_t columns = matrix.columns / side * side;
    std::size_t row = 0;
    if constexpr (sizeof(typename Lanes::V) > 16) {
        row = transpose_squares<Word, Lanes>(matrix, row, columns);
    }
    row = transpose_squares<Word, OnePlace>(matrix, row, columns);
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        auto *const to = kernels::row<Cell<Word>>(static_cast<void *>(matrix.to), matrix.to_stride, j);
        for (std::size_t i = j < columns ? row : 0; i < matrix.rows; ++i) {
            to[i].value = kernels::row<Cell<Word>>(matrix.from, matrix.from_stride, i)[j].value;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
