// Operands of operations on tiles, and the loop over their vectors.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/tile/tile.h"

namespace tenrex::kernels {
namespace {

template <class Lanes>
inline std::size_t vectors_of(const TileValue &out, std::size_t cells) {
    return out.goes_on == 0 ? 1 : (cells + Lanes::lanes - 1) / Lanes::lanes;
}

inline const char *at(const TileValue &value, std::size_t offset) {
    return reinterpret_cast<const char *>(value.cells) + (offset & value.goes_on);
}

inline char *at(std::byte *cells, std::size_t offset) {
    return reinterpret_cast<char *>(cells) + offset;
}

// The value in one row of the tile.
inline TileValue row_of(TileValue value, std::size_t row) {
    value.cells += static_cast<std::ptrdiff_t>(row) * value.row_bytes;
    return value;
}

// A vector of the cell there.
template <class Lanes>
inline typename Lanes::V vector_of(const char *cell) {
    return Lanes::all(reinterpret_cast<const Cell<typename Lanes::Scalar> *>(cell)->value);
}

// An operand in a loop over the vectors of a row: cells that go on, or one cell, which stays in a register.
template <class Lanes>
struct Stream {
    const char *cells;
    std::ptrdiff_t row_bytes;

    explicit Stream(const TileValue &value)
        : cells(reinterpret_cast<const char *>(value.cells)), row_bytes(value.row_bytes) {}
    void begin_row() {}
    void end_row() { cells += row_bytes; }
    typename Lanes::V load(std::size_t offset) const { return Lanes::load(cells + offset); }
};
template <class Lanes>
struct Repeated {
    const char *cell;
    std::ptrdiff_t row_bytes;
    typename Lanes::V vector = {};

    explicit Repeated(const TileValue &value)
        : cell(reinterpret_cast<const char *>(value.cells)), row_bytes(value.row_bytes) {}
    void begin_row() { vector = vector_of<Lanes>(cell); }
    void end_row() { cell += row_bytes; }
    typename Lanes::V load(std::size_t) const { return vector; }
};

// The size of tiles of one row, for which loops have no rows.
struct OneRow {
    static constexpr std::size_t rows = 1;
    std::size_t cells;
};

// Rows of so many vectors, few enough to be written out: a loop over them would take as long as they do.
template <class Lanes, class Operation, std::size_t vectors, class... Operands>
inline void tile_short_rows(const TileValue &out, std::size_t rows, Operands... operands) {
    constexpr std::size_t bytes = sizeof(typename Lanes::V);
    std::byte *to = out.cells;
    for (std::size_t row = 0; row < rows; ++row, to += out.row_bytes) {
        (operands.begin_row(), ...);
        for (std::size_t i = 0; i < vectors; ++i) {
            Lanes::store(at(to, i * bytes), Operation::template compute<Lanes>(operands.load(i * bytes)...));
        }
        (operands.end_row(), ...);
    }
}

// Size: OneRow or TileSize.
template <class Lanes, class Operation, class Size, class... Operands>
inline void tile_vectors(const TileValue &out, Size size, Operands... operands) {
    constexpr std::size_t bytes = sizeof(typename Lanes::V);
    constexpr std::size_t unroll = Operation::unroll;
    if constexpr (__is_same(Size, TileSize) && unroll == 4) {
        switch (vectors_of<Lanes>(out, size.cells)) {
            case 1:
                return tile_short_rows<Lanes, Operation, 1>(out, size.rows, operands...);
            case 2:
                return tile_short_rows<Lanes, Operation, 2>(out, size.rows, operands...);
            case 4:
                return tile_short_rows<Lanes, Operation, 4>(out, size.rows, operands...);
            case 8:
                return tile_short_rows<Lanes, Operation, 8>(out, size.rows, operands...);
            default:
                break;
        }
    }
    std::byte *to = out.cells;
    for (std::size_t row = 0; row < size.rows; ++row, to += out.row_bytes) {
        (operands.begin_row(), ...);
        std::size_t vectors = vectors_of<Lanes>(out, size.cells);
        std::size_t offset = 0;
        if constexpr (unroll > 1) {
            for (; vectors >= unroll; vectors -= unroll, offset += unroll * bytes) {
                for (std::size_t i = 0; i < unroll; ++i) {
                    Lanes::store(at(to, offset + i * bytes),
                                 Operation::template compute<Lanes>(operands.load(offset + i * bytes)...));
                }
            }
        }
        for (; vectors > 0; --vectors, offset += bytes) {
            Lanes::store(at(to, offset), Operation::template compute<Lanes>(operands.load(offset)...));
        }
        (operands.end_row(), ...);
    }
}

// An operand of any kind in a tile of one row: no load asks which.
template <class Lanes>
struct Either {
    TileValue value;

    explicit Either(const TileValue &either) : value(either) {}
    void begin_row() {}
    void end_row() {}
    typename Lanes::V load(std::size_t offset) const { return Lanes::load(at(value, offset)); }
};

// A row of an operand. What does not go on is a vector then, as it is in tiles of one row.
template <class Lanes>
inline TileValue vectors_of_row(const TileValue &operand, TileSize, std::size_t row, typename Lanes::V &vector) {
    TileValue value = row_of(operand, row);
    if (value.goes_on == 0) {
        vector = vector_of<Lanes>(reinterpret_cast<const char *>(value.cells));
        value.cells = reinterpret_cast<std::byte *>(&vector);
    }
    return value;
}
template <class Lanes>
inline TileValue vectors_of_row(const TileValue &operand, OneRow, std::size_t, typename Lanes::V &) {
    return operand;
}

}  // namespace
}  // namespace tenrex::kernels
