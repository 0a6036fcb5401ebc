// Values with an open dimension as rows: one after the other for each index of it, with the cells of all other
// dimensions side by side. Columns and graphs have them so.
#pragma once

#include <cstddef>

#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

// The open dimensions become mapped: a row has the index as its label.
TensorType type_of_rows(const TensorType &declared);

// How rows lie in the block of a value whose type fits a declared one with one open dimension and no mapped one.
struct RowLayout {
    std::size_t rows = 0;
    std::size_t parts = 1;       // of a row, which do not lie side by side in the block
    std::size_t part_bytes = 0;  // of each
    std::size_t row_bytes() const noexcept { return parts * part_bytes; }
};
RowLayout layout_of_rows(const TensorType &value, const TensorType &declared);

// Copies the block of a value to rows, and a row to where it belongs in a block.
void copy_to_rows(const RowLayout &layout, const void *block, std::byte *rows) noexcept;
void copy_from_row(const RowLayout &layout, const std::byte *row, std::size_t number, void *block) noexcept;

// The value as its rows.
Tensor as_rows(const Tensor &value, const TensorType &declared);

// The type of a value with so many rows.
TensorType type_with_rows(const TensorType &declared, std::size_t rows);

}  // namespace tenrex
