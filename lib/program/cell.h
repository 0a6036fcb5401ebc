// Cells in memory that need not be aligned.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>

#include <tenrex/cell_type.h>

namespace tenrex::program {

// Where cell `i` is of those that begin at `cells`.
template <class Cell, class Byte, std::integral Index>
Byte *cell_at(Byte *cells, Index i) noexcept {
    return cells + static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(sizeof(Cell));
}

template <class Cell, std::integral Index>
double load_cell(const std::byte *cells, Index i) noexcept {
    Cell cell;
    std::memcpy(&cell, cell_at<Cell>(cells, i), sizeof(Cell));
    return static_cast<double>(cell);
}

template <class Cell, std::integral Index>
void store_cell(std::byte *cells, Index i, double value) noexcept {
    const auto cell = static_cast<Cell>(value);
    std::memcpy(cell_at<Cell>(cells, i), &cell, sizeof(Cell));
}

// Of doubles or floats.
template <std::integral Index>
void store_cell(CellType type, std::byte *cells, Index i, double value) noexcept {
    type == CellType::f64 ? store_cell<double>(cells, i, value) : store_cell<float>(cells, i, value);
}

}  // namespace tenrex::program
