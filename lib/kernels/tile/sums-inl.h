// Sums of products of tiles, which stay in registers.
#pragma once

#include "lib/kernels/tile/operands-inl.h"

namespace tenrex::kernels {
namespace {

// Some vectors of a row of a sum at a time, so that one addition need not wait for the other.
template <class Lanes, std::size_t width>
inline void sum_vectors(const TileOperation &operation, const TileValue *values, std::size_t row, std::size_t offset) {
    using V = typename Lanes::V;
    V sums[width];
    const auto products = [&](std::size_t number, auto use) {
        const TileTerm term = operation.terms[number];
        const bool first_repeats = values[term.a].goes_on == 0;
        const TileValue a = row_of(values[first_repeats ? term.b : term.a], row);
        const TileValue b = row_of(values[first_repeats ? term.a : term.b], row);
        const char *const from = at(a, offset);
        const char *const factors = at(b, offset);
        if (a.goes_on == 0) {
            const V product = vector_of<Lanes>(from) * vector_of<Lanes>(factors);
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], product);
            }
        } else if (b.goes_on == 0) {  // mostly: values times constants
            const V factor = vector_of<Lanes>(factors);
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], Lanes::load(from + i * sizeof(V)) * factor);
            }
        } else {
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], Lanes::load(from + i * sizeof(V)) * Lanes::load(factors + i * sizeof(V)));
            }
        }
    };
    products(0, [](V &sum, V product) { sum = product; });
    for (std::size_t term = 1; term < operation.count; ++term) {
        // Never fused: the sources are compiled with -ffp-contract=off.
        products(term, [](V &sum, V product) { sum = sum + product; });
    }
    std::byte *const out = row_of(values[operation.out], row).cells;
    for (std::size_t i = 0; i < width; ++i) {
        Lanes::store(at(out, offset + i * sizeof(V)), sums[i]);
    }
}

// The same for values of one vector: here the time goes into finding them.
template <class Lanes>
inline void sum_of_single_vectors(const TileOperation &operation, const TileValue *values) {
    using V = typename Lanes::V;
    const auto product = [&](const TileTerm &term) {
        return Lanes::load(at(values[term.a].cells, 0)) * Lanes::load(at(values[term.b].cells, 0));
    };
    V sum = product(operation.terms[0]);
    const TileTerm *const end = operation.terms + operation.count;
    for (const TileTerm *term = operation.terms + 1; term != end; ++term) {
        sum = sum + product(*term);
    }
    Lanes::store(at(values[operation.out].cells, 0), sum);
}

// Apart from the former, which would else pay for its registers.
template <class Lanes>
[[gnu::noinline]] void sum_of_many_vectors(const TileOperation &operation, const TileValue *values, TileSize size) {
    constexpr std::size_t bytes = sizeof(typename Lanes::V);
    for (std::size_t row = 0; row < size.rows; ++row) {
        std::size_t vectors = vectors_of<Lanes>(values[operation.out], size.cells);
        std::size_t offset = 0;
        for (; vectors >= 8; vectors -= 8, offset += 8 * bytes) {
            sum_vectors<Lanes, 8>(operation, values, row, offset);
        }
        for (; vectors >= 4; vectors -= 4, offset += 4 * bytes) {
            sum_vectors<Lanes, 4>(operation, values, row, offset);
        }
        for (; vectors > 0; --vectors, offset += bytes) {
            sum_vectors<Lanes, 1>(operation, values, row, offset);
        }
    }
}

template <class Lanes>
void tile_sum_of_products(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    if (size.rows == 1 && vectors_of<Lanes>(values[operation.out], size.cells) == 1) {
        sum_of_single_vectors<Lanes>(operation, values);
    } else {
        sum_of_many_vectors<Lanes>(operation, values, size);
    }
}

}  // namespace
}  // namespace tenrex::kernels
