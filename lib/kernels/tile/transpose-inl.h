// Matrices whose rows become columns, in squares of vectors. First come squares of whole vectors: their cells change
// places within the lanes of 128 bits, and then the lanes do. Where they do not fit, a vector takes 16 bytes of a row
// into each of its lanes, so that shuffles stay within lanes.
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

// As many rows and columns as a vector has cells, each a vector.
template <class Word, class Lanes>
struct WholeSquare {
    using InLanes = Square<Word, Lanes>;
    using V = typename InLanes::V;
    static constexpr std::size_t lanes = InLanes::lanes;
    static constexpr std::size_t side = lanes * InLanes::columns;
    // With more vectors than that they would not stay in registers.
    static constexpr bool fits = lanes > 1 && side <= 16;

    // The lower or upper halves of both, or the lanes of both with even or odd numbers.
    template <std::size_t upper, std::size_t... i>
    static V halves(V a, V b, std::index_sequence<i...> /*cells*/) {
        constexpr std::size_t half = side / 2;
        return __builtin_shufflevector(a, b, (i % half + upper * half + i / half * side)...);
    }
    template <std::size_t odd, std::size_t... i>
    static V every_other(V a, V b, std::index_sequence<i...> /*cells*/) {
        constexpr std::size_t half = side / 2;
        constexpr std::size_t lane = InLanes::columns;
        return __builtin_shufflevector(a, b, (i % lane + (2 * (i % half / lane) + odd) * lane + i / half * side)...);
    }
    // Stores lane l of each vector, one beside the other, as column l * InLanes::columns.
    template <class All>
    static void store_lanes(char *to, std::ptrdiff_t stride, const V (&vectors)[lanes], All all) {
        const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(InLanes::columns) * stride;
        const auto store = [&](std::size_t lane, V x) {
            __builtin_memcpy(to + static_cast<std::ptrdiff_t>(lane) * step, &x, sizeof(V));
        };
        if constexpr (lanes == 2) {
            store(0, every_other<0>(vectors[0], vectors[1], all));
            store(1, every_other<1>(vectors[0], vectors[1], all));
        } else {
            const V lower[] = {halves<0>(vectors[0], vectors[1], all), halves<0>(vectors[2], vectors[3], all)};
            const V upper[] = {halves<1>(vectors[0], vectors[1], all), halves<1>(vectors[2], vectors[3], all)};
            store(0, every_other<0>(lower[0], lower[1], all));
            store(1, every_other<1>(lower[0], lower[1], all));
            store(2, every_other<0>(upper[0], upper[1], all));
            store(3, every_other<1>(upper[0], upper[1], all));
        }
    }
    // i: the rows of a lane; j: the lanes.
    template <std::size_t... i, std::size_t... j>
    [[gnu::always_inline]] static void transpose(char *to, std::ptrdiff_t to_stride, const char *from,
                                                 std::ptrdiff_t from_stride, std::index_sequence<i...> rows,
                                                 std::index_sequence<j...> /*lanes*/) {
        const auto load = [=](std::size_t row) {
            V x;
            __builtin_memcpy(&x, from + static_cast<std::ptrdiff_t>(row) * from_stride, sizeof(V));
            return x;
        };
        const auto lane_of_rows = [&](std::size_t first) {
            return InLanes::template shuffled<InLanes::columns>({{load(first + i)...}}, rows);
        };
        const typename InLanes::Rows turned[] = {lane_of_rows(j * InLanes::columns)...};
        const auto store = [&](std::size_t column) {
            const V vectors[] = {turned[j].row[column]...};
            store_lanes(to + static_cast<std::ptrdiff_t>(column) * to_stride, to_stride, vectors,
                        std::make_index_sequence<side>());
        };
        (store(i), ...);
    }
};

// All whole squares: those of the same rows come one after the other.
template <class Word, class Lanes>
inline void transpose_whole_squares(const Transposition &matrix, std::size_t rows, std::size_t columns) {
    using Part = WholeSquare<Word, Lanes>;
    for (std::size_t i = 0; i < rows; i += Part::side) {
        const char *from =
            reinterpret_cast<const char *>(matrix.from) + static_cast<std::ptrdiff_t>(i) * matrix.from_stride;
        char *to = reinterpret_cast<char *>(matrix.to) + i * sizeof(Word);
        for (std::size_t j = 0; j < columns; j += Part::side) {
            Part::transpose(to, matrix.to_stride, from, matrix.from_stride,
                            std::make_index_sequence<Part::InLanes::columns>(),
                            std::make_index_sequence<Part::lanes>());
            from += Part::side * sizeof(Word);
            to += static_cast<std::ptrdiff_t>(Part::side) * matrix.to_stride;
        }
    }
}

// As many rows from `row` on as are whole squares, from a column on; returns where the rest begins. Lines of the cache
// are read once: squares beside each other come first.
template <class Word, class Lanes>
inline std::size_t transpose_squares(const Transposition &matrix, std::size_t row, std::size_t column,
                                     std::size_t columns) {
    using Part = Square<Word, Lanes>;
    constexpr std::size_t at_once = 64 / sizeof(Word);
    const std::size_t end = row + (matrix.rows - row) / Part::rows * Part::rows;
    const char *const first = reinterpret_cast<const char *>(matrix.from);
    const std::ptrdiff_t down = static_cast<std::ptrdiff_t>(Part::columns) * matrix.to_stride;
    for (std::size_t group = column; group < columns; group += at_once) {
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
        std::size_t done = 0;
        if constexpr (WholeSquare<Word, Lanes>::fits) {
            constexpr std::size_t whole = WholeSquare<Word, Lanes>::side;
            done = matrix.columns / whole * whole;
            transpose_whole_squares<Word, Lanes>(matrix, matrix.rows / whole * whole, done);
        }
        row = transpose_squares<Word, Lanes>(matrix, row, done, columns);
    }
    row = transpose_squares<Word, OnePlace>(matrix, row, 0, columns);
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        auto *const to = kernels::row<Cell<Word>>(static_cast<void *>(matrix.to), matrix.to_stride, j);
        for (std::size_t i = j < columns ? row : 0; i < matrix.rows; ++i) {
            to[i].value = kernels::row<Cell<Word>>(matrix.from, matrix.from_stride, i)[j].value;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
