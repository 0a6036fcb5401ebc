// Cells in memory that need not be aligned.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>

#include <tenrex/cell_type.h>

namespace tenrex::plan {

// Cell `i` of those that begin at `cells`.
template <class Cell, std::integral Index>
double load_cell(const std::byte *cells, Index i) noexcept {
    Cell cell;
    std::memcpy(&cell, cells + static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(sizeof(Cell)),
                sizeof(Cell));
    return static_cast<double>(cell);
}

// Sets cell `i` of doubles or floats.
inline void store_cell(CellType type, std::byte *cells, std::size_t i, double value) noexcept {
    if (type == CellType::f64) {
        std::memcpy(cells + i * sizeof(double), &value, sizeof(double));
    } else {
        const auto narrow = static_cast<float>(value);
        std::memcpy(cells + i * sizeof(float), &narrow, sizeof(float));
    }
}

}  // namespace tenrex::plan
