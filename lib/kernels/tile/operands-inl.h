// Operands of operations on tiles, and the loop over their vectors.
#pragma once

#include "lib/kernels/tile/tile.h"

namespace tenrex::kernels {
namespace {

template <class Lanes>
inline std::size_t vectors_of(const TileValue &out, std::size_t cells) {
    return out.goes_on == 0 ? 1 : (cells + Lanes::lanes - 1) / Lanes::lanes;
}

inline const char *at(const TileValue &value, std::size_t offset) {
    return reinterpret_cast<const char *>(value.cells) + ((offset * value.pace >> 32) & value.goes_on);
}

inline bool has_rows(const TileValue &value) {
    return value.goes_on + 1 > 1;
}

inline char *at(std::byte *cells, std::size_t offset) {
    return reinterpret_cast<char *>(cells) + offset;
}

// An operand in a loop over vectors: cells that go on, or a vector for all, which stays in a register.
template <class Lanes>
struct Stream {
    const char *cells;

    explicit Stream(const TileValue &value) : cells(reinterpret_cast<const char *>(value.cells)) {}
    typename Lanes::V load(std::size_t offset) const { return Lanes::load(cells + offset); }
};
template <class Lanes>
struct Repeated {
    typename Lanes::V vector;

    explicit Repeated(const TileValue &value) : vector(Lanes::load(reinterpret_cast<const char *>(value.cells))) {}
    typename Lanes::V load(std::size_t) const { return vector; }
};

template <class Lanes, class Operation, class... Operands>
inline void tile_vectors(std::byte *out, std::size_t vectors, Operands... operands) {
    constexpr std::size_t size = sizeof(typename Lanes::V);
    constexpr std::size_t unroll = Operation::unroll;
    std::size_t offset = 0;
    if constexpr (unroll > 1) {
        for (; vectors >= unroll; vectors -= unroll, offset += unroll * size) {
            for (std::size_t i = 0; i < unroll; ++i) {
                Lanes::store(at(out, offset + i * size),
                             Operation::template compute<Lanes>(operands.load(offset + i * size)...));
            }
        }
    }
    for (; vectors > 0; --vectors, offset += size) {
        Lanes::store(at(out, offset), Operation::template compute<Lanes>(operands.load(offset)...));
    }
}

// An operand of any kind.
template <class Lanes>
struct Either {
    TileValue value;

    explicit Either(const TileValue &either) : value(either) {}
    typename Lanes::V load(std::size_t offset) const { return Lanes::load(at(value, offset)); }
};

}  // namespace
}  // namespace tenrex::kernels
