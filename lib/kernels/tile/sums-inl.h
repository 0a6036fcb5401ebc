// Sums of products of tiles, which stay in registers.
#pragma once

#include "lib/kernels/tile/operands-inl.h"

namespace tenrex::kernels {
namespace {

// Some vectors of a sum at a time, so that one addition need not wait for the other.
template <class Lanes, std::size_t width>
inline void sum_vectors(const TileOperation &operation, const TileValue *values, std::byte *out, std::size_t offset) {
    using V = typename Lanes::V;
    V sums[width];
    const auto products = [&](std::size_t number, auto use) {
        const TileTerm term = operation.terms[number];
        if (has_rows(values[term.a]) || has_rows(values[term.b])) {
            const Either<Lanes> a(values[term.a]);
            const Either<Lanes> b(values[term.b]);
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], a.load(offset + i * sizeof(V)) * b.load(offset + i * sizeof(V)));
            }
            return;
        }
        const bool first_repeats = values[term.a].goes_on == 0;
        const TileValue &a = values[first_repeats ? term.b : term.a];
        const TileValue &b = values[first_repeats ? term.a : term.b];
        const char *const from = at(a, offset);
        const char *const factors = at(b, offset);
        const std::size_t step = sizeof(V) & a.goes_on;
        if (b.goes_on == 0) {  // mostly: values times constants
            const V factor = Lanes::load(factors);
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], Lanes::load(from + i * step) * factor);
            }
        } else {
            for (std::size_t i = 0; i < width; ++i) {
                use(sums[i], Lanes::load(from + i * step) * Lanes::load(factors + i * sizeof(V)));
            }
        }
    };
    products(0, [](V &sum, V product) { sum = product; });
    for (std::size_t term = 1; term < operation.count; ++term) {
        // Never fused: the sources are compiled with -ffp-contract=off.
        products(term, [](V &sum, V product) { sum = sum + product; });
    }
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
[[gnu::noinline]] void sum_of_many_vectors(const TileOperation &operation, const TileValue *values, std::byte *out,
                                           std::size_t vectors) {
    constexpr std::size_t size = sizeof(typename Lanes::V);
    std::size_t offset = 0;
    for (; vectors >= 8; vectors -= 8, offset += 8 * size) {
        sum_vectors<Lanes, 8>(operation, values, out, offset);
    }
    for (; vectors >= 4; vectors -= 4, offset += 4 * size) {
        sum_vectors<Lanes, 4>(operation, values, out, offset);
    }
    for (; vectors > 0; --vectors, offset += size) {
        sum_vectors<Lanes, 1>(operation, values, out, offset);
    }
}

template <class Lanes>
void tile_sum_of_products(const TileOperation &operation, const TileValue *values, std::size_t cells) noexcept {
    const TileValue &out = values[operation.out];
    const std::size_t vectors = vectors_of<Lanes>(out, cells);
    if (vectors == 1) {
        sum_of_single_vectors<Lanes>(operation, values);
    } else {
        sum_of_many_vectors<Lanes>(operation, values, out.cells, vectors);
    }
}

}  // namespace
}  // namespace tenrex::kernels
