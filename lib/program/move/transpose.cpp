#include "lib/program/move/transpose.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tenrex::program {

namespace {

using Bytes = std::uint8_t __attribute__((vector_size(16)));
using HalfWords = std::uint16_t __attribute__((vector_size(16)));
using Words = std::uint32_t __attribute__((vector_size(16)));
using DoubleWords = std::uint64_t __attribute__((vector_size(16)));

template <class Vector>
struct Square {
    static constexpr std::size_t cell_bytes = sizeof(std::declval<Vector>()[0]);
    static constexpr std::size_t size = transposed_at_once(cell_bytes);

    // The cells of the lower or upper halves in turn.
    template <std::size_t first, std::size_t... i>
    static Vector interleaved(Vector a, Vector b, std::index_sequence<i...> /*cells*/) noexcept {
        return __builtin_shufflevector(a, b, (first + i / 2 + i % 2 * size)...);
    }

    using Rows = std::array<Vector, size>;

    // Rows i and i + size/2 are shuffled like cards, as often as it takes until cell i of row j is cell j of row i.
    template <std::size_t rest, std::size_t... i>
    static Rows shuffled(const Rows &rows, std::index_sequence<i...> all) noexcept {
        if constexpr (rest == 1) {
            return rows;
        } else {
            return shuffled<rest / 2>(
                Rows{interleaved<i % 2 * (size / 2)>(rows[i / 2], rows[i / 2 + size / 2], all)...}, all);
        }
    }

    template <std::size_t... i>
    static void transpose(std::byte *to, std::ptrdiff_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
                          std::index_sequence<i...> all) noexcept {
        Rows rows;
        (std::memcpy(&rows[i], from + static_cast<std::ptrdiff_t>(i) * from_stride, sizeof(Vector)), ...);
        rows = shuffled<size>(rows, all);
        (std::memcpy(to + static_cast<std::ptrdiff_t>(i) * to_stride, &rows[i], sizeof(Vector)), ...);
    }
};

template <class Vector>
void transpose_cells(std::byte *to, std::ptrdiff_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
                     std::size_t rows, std::size_t columns) noexcept {
    constexpr std::size_t size = Square<Vector>::size;
    constexpr auto width = static_cast<std::ptrdiff_t>(Square<Vector>::cell_bytes);
    const auto target = [&](std::size_t row, std::size_t column) {
        return to + static_cast<std::ptrdiff_t>(column) * to_stride + static_cast<std::ptrdiff_t>(row) * width;
    };
    const auto source = [&](std::size_t row, std::size_t column) {
        return from + static_cast<std::ptrdiff_t>(row) * from_stride + static_cast<std::ptrdiff_t>(column) * width;
    };
    const std::size_t whole_rows = rows / size * size;
    const std::size_t whole_columns = columns / size * size;
    constexpr auto turn = static_cast<std::ptrdiff_t>(size);
    for (std::size_t column = 0; column < whole_columns; column += size) {
        std::byte *out = target(0, column);
        const std::byte *in = source(0, column);
        for (std::size_t row = 0; row < whole_rows; row += size) {
            Square<Vector>::transpose(out, to_stride, in, from_stride, std::make_index_sequence<size>());
            out += turn * width;
            in += turn * from_stride;
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = column < whole_columns ? whole_rows : 0; row < rows; ++row) {
            std::memcpy(target(row, column), source(row, column), Square<Vector>::cell_bytes);
        }
    }
}

}  // namespace

void transpose(std::byte *to, std::ptrdiff_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
               std::size_t rows, std::size_t columns, std::size_t cell_bytes) noexcept {
    switch (cell_bytes) {
        case 1:
            return transpose_cells<Bytes>(to, to_stride, from, from_stride, rows, columns);
        case 2:
            return transpose_cells<HalfWords>(to, to_stride, from, from_stride, rows, columns);
        case 4:
            return transpose_cells<Words>(to, to_stride, from, from_stride, rows, columns);
        default:
            return transpose_cells<DoubleWords>(to, to_stride, from, from_stride, rows, columns);
    }
}

}  // namespace tenrex::program
