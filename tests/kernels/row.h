// A row of cells of any type, and its cells as numbers.
#pragma once

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include <tenrex/cell_type.h>

namespace tenrex::kernels {

// Cells of some type, as bytes.
struct Row {
    CellType type;
    std::vector<char> bytes;

    std::size_t length() const { return bytes.size() / byte_size(type); }
    double operator[](std::size_t index) const {
        return visit_cell_type(type, [&]<class T>(T cell) {
            std::memcpy(&cell, bytes.data() + index * sizeof(T), sizeof(T));
            return static_cast<double>(cell);
        });
    }
    void set(std::size_t index, double value) {
        visit_cell_type(type, [&]<class T>(T cell) {
            cell = to_cell<T>(value);
            std::memcpy(bytes.data() + index * sizeof(T), &cell, sizeof(T));
        });
    }
};

inline Row make_row(CellType type, std::size_t length) {
    return {type, std::vector<char>(length * byte_size(type))};
}

// Numbers in [-1, 1], or all of int8.
inline Row random_row(CellType type, std::size_t length, std::mt19937 &random) {
    Row row = make_row(type, length);
    for (std::size_t i = 0; i < length; ++i) {
        row.set(i, type == CellType::i8 ? std::uniform_int_distribution<int>(-128, 127)(random)
                                        : std::uniform_real_distribution<double>(-1, 1)(random));
    }
    return row;
}

}  // namespace tenrex::kernels
