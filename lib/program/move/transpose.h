// Matrices whose rows become columns.
#pragma once

#include <cstddef>

namespace tenrex::program {

// So many cells of a row and a column are transposed at a time; smaller matrices gain nothing.
constexpr std::size_t transposed_at_once(std::size_t cell_bytes) noexcept {
    return 16 / cell_bytes;
}

// Cells of 1, 2, 4 or 8 bytes: row j of `to`, its cells side by side, is column j of `from`. Strides from row to row
// are in bytes; `rows` are those of `from`.
void transpose(std::byte *to, std::ptrdiff_t to_stride, const std::byte *from, std::ptrdiff_t from_stride,
               std::size_t rows, std::size_t columns, std::size_t cell_bytes) noexcept;

}  // namespace tenrex::program
