// The loops of all kernels on tiles, over the vectors and operations of the other kernels that compute cell by cell;
// see lib/kernels/elementwise/elementwise-inl.h. There are no parts of vectors, so there is no other way for the last
// cells.
#pragma once

#include <utility>

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/tile/operands-inl.h"
#include "lib/kernels/tile/reduce-inl.h"
#include "lib/kernels/tile/single_cell-inl.h"
#include "lib/kernels/tile/sums-inl.h"
#include "lib/kernels/tile/tile.h"
#include "lib/kernels/tile/transpose-inl.h"

namespace tenrex::kernels {
namespace {

// The loop for these kinds of operands, which are found out one after the other.
template <class Lanes, class Operation, std::size_t arity, class Size, class... Known>
inline void tile_loop(const TileValue &out, Size size, const TileOperation &operation, const TileValue *values,
                      Known... known) {
    if constexpr (sizeof...(known) == arity) {
        tile_vectors<Lanes, Operation>(out, size, known...);
    } else {
        const TileValue &next = values[operation.in[sizeof...(known)]];
        if (next.goes_on != 0) {
            tile_loop<Lanes, Operation, arity>(out, size, operation, values, known..., Stream<Lanes>(next));
        } else {
            tile_loop<Lanes, Operation, arity>(out, size, operation, values, known..., Repeated<Lanes>(next));
        }
    }
}

// Operations that have no vectors: cells behind the last one are zeros, which no operation is slow on.
template <class Lanes, class Operation, class... Values>
inline void tile_single_cells(std::byte *out, std::size_t cells, const Values &...values) {
    using T = typename Lanes::Scalar;
    const auto cell = [](const char *place) {
        return static_cast<double>(reinterpret_cast<const Cell<T> *>(place)->value);
    };
    const auto set = [&](std::size_t i, double result) {
        reinterpret_cast<Cell<T> *>(at(out, i * sizeof(T)))->value = static_cast<T>(result);
    };
    for (std::size_t i = 0; i < cells; ++i) {
        set(i, Operation::compute(cell(at(values, i * sizeof(T)))...));
    }
    for (; cells % Lanes::lanes != 0; ++cells) {
        set(cells, 0);
    }
}

// Rows that follow each other, vector by vector, are one.
template <class Lanes, class... Values>
inline TileSize joined_rows(TileSize size, const TileValue &out, const Values &...operands) {
    const std::size_t row_bytes = vectors_of<Lanes>(out, size.cells) * sizeof(typename Lanes::V);
    const auto follow = [&](const TileValue &value) {
        return value.row_bytes == static_cast<std::ptrdiff_t>(row_bytes & value.goes_on);
    };
    return follow(out) && (follow(operands) && ...) ? TileSize(size.rows * row_bytes / sizeof(typename Lanes::Scalar))
                                                    : size;
}

// One loop for operands of any kind.
template <class Lanes, class Operation, class Size, std::size_t... k>
inline void tile_any(const TileValue &out, Size size, const TileValue *const (&operands)[sizeof...(k)],
                     std::index_sequence<k...> /*operands*/) {
    const std::size_t vectors = vectors_of<Lanes>(out, size.cells);
    for (std::size_t row = 0; row < size.rows; ++row) {
        typename Lanes::V room[sizeof...(k)];
        const TileValue values[] = {vectors_of_row<Lanes>(*operands[k], size, row, room[k])...};
        std::byte *const to = row_of(out, row).cells;
        for (std::size_t i = 0; i < vectors; ++i) {
            const std::size_t offset = i * sizeof(typename Lanes::V);
            Lanes::store(at(to, offset), Operation::template compute<Lanes>(Lanes::load(at(values[k], offset))...));
        }
    }
}

// Tiles of some rows, apart from those of one row, which would else pay for the registers of the others.
template <class Lanes, class Operation, std::size_t... k>
[[gnu::noinline]] void tile_rows(const TileOperation &operation, const TileValue *values, TileSize size,
                                 std::index_sequence<k...> numbers) {
    constexpr std::size_t arity = sizeof...(k);
    const TileValue out = values[operation.out];
    if constexpr (Operation::unroll == 0) {
        for (std::size_t row = 0; row < size.rows; ++row) {
            tile_single_cells<Lanes, Operation>(row_of(out, row).cells, size.cells,
                                                row_of(values[operation.in[k]], row)...);
        }
    } else {
        const TileSize joined = joined_rows<Lanes>(size, out, values[operation.in[k]]...);
        if constexpr (Operation::unroll == 1 || arity > 3) {
            tile_any<Lanes, Operation>(out, joined, {&values[operation.in[k]]...}, numbers);
        } else {
            tile_loop<Lanes, Operation, arity>(out, joined, operation, values);
        }
    }
}

template <class Lanes, class Operation, std::size_t... k>
inline void tile_row(const TileOperation &operation, const TileValue *values, std::size_t cells,
                     std::index_sequence<k...> numbers) {
    const TileValue out = values[operation.out];
    if constexpr (Operation::unroll == 0) {
        tile_single_cells<Lanes, Operation>(out.cells, cells, values[operation.in[k]]...);
    } else if (Operation::unroll == 1 || cells <= Lanes::lanes) {
        tile_any<Lanes, Operation>(out, OneRow{cells}, {&values[operation.in[k]]...}, numbers);
    } else {
        tile_loop<Lanes, Operation, sizeof...(k)>(out, OneRow{cells}, operation, values);
    }
}

template <class Lanes, class Operation, std::size_t arity>
void tile_operation(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    constexpr std::make_index_sequence<arity> numbers;
    if (size.rows == 1) {
        tile_row<Lanes, Operation>(operation, values, size.cells, numbers);
    } else {
        tile_rows<Lanes, Operation>(operation, values, size, numbers);
    }
}

// x where the comparison of a and b holds, else y.
template <class Comparison>
struct Choice {
    static constexpr std::size_t unroll = 4;
    template <class Lanes, class V = typename Lanes::V>
    static V compute(V x, V y, V a, V b) {
        return Comparison::holds(a, b) ? x : y;
    }
};
struct Less {
    template <class V>
    static auto holds(V a, V b) {
        return a < b;
    }
};
struct LessEqual {
    template <class V>
    static auto holds(V a, V b) {
        return a <= b;
    }
};
struct Equal {
    template <class V>
    static auto holds(V a, V b) {
        return a == b;
    }
};

// For the kinds of operands that are compared. Formulas mostly choose between two numbers or two values, so there is no
// loop for each kind of those.
template <class Lanes, class Comparison, class A, class B>
inline void tile_choice_of(const TileValue &out, std::size_t cells, const TileValue &x, const TileValue &y, A a, B b) {
    if (x.goes_on == 0 && y.goes_on == 0) {
        tile_vectors<Lanes, Choice<Comparison>>(out, OneRow{cells}, Repeated<Lanes>(x), Repeated<Lanes>(y), a, b);
    } else {
        tile_vectors<Lanes, Choice<Comparison>>(out, OneRow{cells}, Either<Lanes>(x), Either<Lanes>(y), a, b);
    }
}

template <class Lanes, class Comparison>
void tile_choice(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    if (size.rows != 1) {
        tile_rows<Lanes, Choice<Comparison>>(operation, values, size, std::make_index_sequence<4>());
        return;
    }
    const TileValue out = values[operation.out];
    const TileValue x = values[operation.in[0]];
    const TileValue y = values[operation.in[1]];
    const TileValue a = values[operation.in[2]];
    const TileValue b = values[operation.in[3]];
    if (b.goes_on == 0) {
        tile_choice_of<Lanes, Comparison>(out, size.cells, x, y, Either<Lanes>(a), Repeated<Lanes>(b));
    } else if (a.goes_on == 0) {
        tile_choice_of<Lanes, Comparison>(out, size.cells, x, y, Repeated<Lanes>(a), Stream<Lanes>(b));
    } else {
        tile_choice_of<Lanes, Comparison>(out, size.cells, x, y, Stream<Lanes>(a), Stream<Lanes>(b));
    }
}

template <class Lanes>
void tile_in_set(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    using V = typename Lanes::V;
    using I = typename Lanes::I;
    const TileValue out = values[operation.out];
    const std::size_t vectors = vectors_of<Lanes>(out, size.cells);
    for (std::size_t row = 0; row < size.rows; ++row) {
        V vector;
        const TileValue a = vectors_of_row<Lanes>(values[operation.in[0]], size, row, vector);
        std::byte *const to = row_of(out, row).cells;
        for (std::size_t i = 0; i < vectors; ++i) {
            const V x = Lanes::load(at(a, i * sizeof(V)));
            I found = {};
            for (std::size_t member = 0; member < operation.count; ++member) {
                found |= x == Lanes::load(at(values[operation.in[1] + member], i * sizeof(V)));
            }
            const V result = found ? Lanes::all(1) : Lanes::all(0);
            Lanes::store(at(to, i * sizeof(V)), result);
        }
    }
}

// Two vectors of doubles are one of floats. The operand may be one vector for all whether the result goes on or not.
template <class Floats, class Doubles>
void tile_convert_f64_f32(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    constexpr std::size_t bytes = sizeof(typename Doubles::V);
    const TileValue out = values[operation.out];
    const std::size_t end = vectors_of<Floats>(out, size.cells) * bytes;
    for (std::size_t row = 0; row < size.rows; ++row) {
        typename Doubles::V vector;
        const TileValue in = vectors_of_row<Doubles>(values[operation.in[0]], size, row, vector);
        std::byte *const to = row_of(out, row).cells;
        for (std::size_t offset = 0; offset < end; offset += bytes) {
            Floats::store(at(to, offset),
                          Floats::join(Doubles::load(at(in, 2 * offset)), Doubles::load(at(in, 2 * offset + bytes))));
        }
    }
}

template <class Floats, class Doubles>
void tile_convert_f32_f64(const TileOperation &operation, const TileValue *values, TileSize size) noexcept {
    constexpr std::size_t bytes = sizeof(typename Doubles::V);
    const TileValue out = values[operation.out];
    if (out.goes_on == 0) {
        // There is room for one vector, and that is half of the floats.
        Doubles::store(at(out.cells, 0), Floats::low(Floats::load(at(values[operation.in[0]], 0))));
        return;
    }
    const std::size_t end = vectors_of<Floats>(out, size.cells) * bytes;
    for (std::size_t row = 0; row < size.rows; ++row) {
        typename Floats::V vector;
        const TileValue in = vectors_of_row<Floats>(values[operation.in[0]], size, row, vector);
        std::byte *const to = row_of(out, row).cells;
        for (std::size_t offset = 0; offset < end; offset += bytes) {
            const typename Floats::V floats = Floats::load(at(in, offset));
            Doubles::store(at(to, 2 * offset), Floats::low(floats));
            Doubles::store(at(to, 2 * offset + bytes), Floats::high(floats));
        }
    }
}

template <class Lanes>
void tile_load(const TileValue *values, const std::byte *const *sources, std::size_t count,
               std::size_t cells) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        const char *from = reinterpret_cast<const char *>(sources[i]);
        char *to = reinterpret_cast<char *>(values[i].cells);
        std::size_t left = cells;
        for (; left >= Lanes::lanes; left -= Lanes::lanes) {
            Lanes::store(to, Lanes::load(from));
            from += sizeof(typename Lanes::V);
            to += sizeof(typename Lanes::V);
        }
        if (left > 0) {
            Lanes::store(to, Lanes::load(from, left));
        }
    }
}

template <class Lanes>
void tile_broadcast(const TileValue *values, const std::byte *const *sources, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        const auto *const cell = reinterpret_cast<const Cell<typename Lanes::Scalar> *>(sources[i]);
        Lanes::store(reinterpret_cast<char *>(values[i].cells), Lanes::all(cell->value));
    }
}

template <class Lanes>
void tile_store(std::byte *to, const std::byte *value, std::size_t cells) noexcept {
    for (; cells >= Lanes::lanes; cells -= Lanes::lanes) {
        Lanes::store(reinterpret_cast<char *>(to), Lanes::load(reinterpret_cast<const char *>(value)));
        to += sizeof(typename Lanes::V);
        value += sizeof(typename Lanes::V);
    }
    if (cells > 0) {
        Lanes::store(reinterpret_cast<char *>(to), Lanes::load(reinterpret_cast<const char *>(value)), cells);
    }
}

inline void tile_pause(const TileOperation &, const TileValue *, TileSize) noexcept {}

// Lanes: of tiles; Single: of single cells.
template <class Lanes, class Single>
constexpr TypedTileKernels typed_tile_kernels(TileFunctions convert) {
    return {{
#define TENREX_ELEMENTWISE(id, arity) \
    {tile_operation<Lanes, operation::id, arity>, single_operation<Single, operation::id, arity>},
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
            },
            {
#define TENREX_ELEMENTWISE(id, arity) tile_reductions<Lanes, operation::id, arity>(),
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
            },
            {tile_sum_of_products<Lanes>, single_sum_of_products<Single>},
            {{tile_choice<Lanes, Less>, single_choice<Single, Less>},
             {tile_choice<Lanes, LessEqual>, single_choice<Single, LessEqual>},
             {tile_choice<Lanes, Equal>, single_choice<Single, Equal>}},
            {tile_in_set<Lanes>, single_in_set<Single>},
            convert,
            tile_load<Lanes>,
            tile_broadcast<Lanes>,
            tile_store<Lanes>};
}

// NarrowFloats, NarrowDoubles: vectors of 128 bits.
template <class Floats, class Doubles, class NarrowFloats, class NarrowDoubles>
constexpr TileKernels tile_kernels_of() {
    using Float = OneCell<NarrowFloats>;
    using Double = OneCell<NarrowDoubles>;
    return {
        typed_tile_kernels<Floats, Float>({tile_convert_f64_f32<Floats, Doubles>, single_conversion<Float, Double>}),
        typed_tile_kernels<Doubles, Double>({tile_convert_f32_f64<Floats, Doubles>, single_conversion<Double, Float>}),
        {tile_pause, single_pause},
        {tile_pause, single_end},
        {tile_transpose<std::uint8_t, Floats>, tile_transpose<std::uint16_t, Floats>,
         tile_transpose<std::uint32_t, Floats>, tile_transpose<std::uint64_t, Floats>}};
}

}  // namespace
}  // namespace tenrex::kernels
