// Operations on tiles whose results are aggregated at once: they stay in registers.
#pragma once

#include <utility>

#include "lib/kernels/reduce/reduce_row-inl.h"
#include "lib/kernels/tile/operands-inl.h"

namespace tenrex::kernels {
namespace {

// An operand of some rows that are aggregated: where the cells of the next row are, or the cell for all of it.
struct RowOperand {
    const char *cells;
    std::ptrdiff_t step;  // to the next row
    bool goes_on;

    // For the vectors from there on; `count` of the cells of each are there.
    template <class Lanes, std::size_t width>
    void load(typename Lanes::V (&vectors)[width], std::size_t count) {
        for (std::size_t i = 0; i < width; ++i) {
            const char *const from = cells + i * sizeof(typename Lanes::V);
            vectors[i] = !goes_on                ? vector_of<Lanes>(cells)
                         : count == Lanes::lanes ? Lanes::load(from)
                                                 : Lanes::load(from, count);
        }
        cells += step;
    }
};

// Combines the totals with `width` vectors of each of `rows` rows. What all rows share stays in registers.
template <class Lanes, class Operation, class Aggregate, std::size_t width, std::size_t arity, std::size_t... k>
inline void aggregate_strip(typename Lanes::V *totals, const RowOperand (&first)[arity], std::size_t rows,
                            std::size_t count, std::index_sequence<k...> /*operands*/) {
    using V = typename Lanes::V;
    RowOperand operands[] = {first[k]...};
    V vectors[arity][width];
    V sums[width];
    for (std::size_t i = 0; i < width; ++i) {
        sums[i] = totals[i];
    }
    (operands[k].template load<Lanes>(vectors[k], count), ...);
    for (;;) {
        for (std::size_t i = 0; i < width; ++i) {
            V x = Operation::template compute<Lanes>(vectors[k][i]...);
            if (count != Lanes::lanes) {
                x = filled_up<typename Lanes::Scalar>(
                    x, count, Lanes::all(static_cast<typename Lanes::Scalar>(Aggregate::neutral)));
            }
            sums[i] = Aggregate::combine(sums[i], x);
        }
        if (--rows == 0) {
            break;
        }
        ((operands[k].step != 0 ? operands[k].template load<Lanes>(vectors[k], count) : void()), ...);
    }
    for (std::size_t i = 0; i < width; ++i) {
        totals[i] = sums[i];
    }
}

// The same for whole vectors of operands whose kinds are known.
template <class Lanes, class Operation, class Aggregate, std::size_t width, class... Operands>
inline void aggregate_known(typename Lanes::V *totals, std::size_t rows, Operands... operands) {
    using V = typename Lanes::V;
    V sums[width];
    for (std::size_t i = 0; i < width; ++i) {
        sums[i] = totals[i];
    }
    do {
        (operands.begin_row(), ...);
        for (std::size_t i = 0; i < width; ++i) {
            sums[i] = Aggregate::combine(sums[i], Operation::template compute<Lanes>(operands.load(i * sizeof(V))...));
        }
        (operands.end_row(), ...);
    } while (--rows != 0);
    for (std::size_t i = 0; i < width; ++i) {
        totals[i] = sums[i];
    }
}

// Finds out which kinds the one or two operands are; the cells of one of them go on.
template <class Lanes, class Operation, class Aggregate, std::size_t width>
inline void aggregate_wide(typename Lanes::V *totals, const TileValue (&operands)[1], std::size_t rows) {
    aggregate_known<Lanes, Operation, Aggregate, width>(totals, rows, Stream<Lanes>(operands[0]));
}
template <class Lanes, class Operation, class Aggregate, std::size_t width>
inline void aggregate_wide(typename Lanes::V *totals, const TileValue (&operands)[2], std::size_t rows) {
    const auto &[a, b] = operands;
    if (a.goes_on == 0) {
        aggregate_known<Lanes, Operation, Aggregate, width>(totals, rows, Repeated<Lanes>(a), Stream<Lanes>(b));
    } else if (b.goes_on == 0) {
        aggregate_known<Lanes, Operation, Aggregate, width>(totals, rows, Stream<Lanes>(a), Repeated<Lanes>(b));
    } else {
        aggregate_known<Lanes, Operation, Aggregate, width>(totals, rows, Stream<Lanes>(a), Stream<Lanes>(b));
    }
}

// Of `rows` rows from one on; of a single row its strips are rows.
template <class Lanes, class Operation, class Aggregate, std::size_t arity, std::size_t... k>
inline double aggregate_rows(const RowOperand (&operands)[arity], std::size_t cells, std::size_t rows,
                             std::index_sequence<k...> numbers) {
    using V = typename Lanes::V;
    using Scalar = typename Lanes::Scalar;
    constexpr std::size_t lanes = Lanes::lanes;
    constexpr std::size_t most = 8;
    V totals[most];
    for (V &total : totals) {
        total = Lanes::all(static_cast<Scalar>(Aggregate::neutral));
    }
    // An operand from a cell on, as rows or as the strips of one row.
    const auto from = [&](const RowOperand &operand, std::size_t cell, std::size_t strip_bytes) {
        const std::ptrdiff_t step = !operand.goes_on ? 0 : static_cast<std::ptrdiff_t>(strip_bytes);
        return RowOperand{operand.cells + (operand.goes_on ? cell * sizeof(Scalar) : 0),
                          rows == 1 ? step : operand.step, operand.goes_on};
    };
    std::size_t cell = 0;
    // Calls work(strip's first cell, its rows) for strips of so many vectors.
    const auto for_each_strip = [&](std::size_t width, const auto &work) {
        const std::size_t strips = (cells - cell) / (width * lanes);
        if (rows == 1 && strips > 0) {
            work(cell, strips);
        } else {
            for (std::size_t strip = 0; strip < strips; ++strip) {
                work(cell + strip * width * lanes, rows);
            }
        }
        cell += strips * width * lanes;
    };
    // Of many operands there are too many kinds; and the strips of one row are many rows anyway.
    if constexpr (arity <= 2) {
        if (rows > 1 && (operands[k].goes_on || ...)) {
            for_each_strip(most, [&](std::size_t first, std::size_t) {
                const auto value = [&](const RowOperand &part) {
                    return TileValue{reinterpret_cast<std::byte *>(const_cast<char *>(part.cells)),
                                     part.goes_on ? ~std::uintptr_t{0} : 0, part.step};
                };
                const TileValue parts[] = {value(from(operands[k], first, 0))...};
                aggregate_wide<Lanes, Operation, Aggregate, most>(totals, parts, rows);
            });
        }
    }
    constexpr std::size_t width = 4;
    for_each_strip(width, [&](std::size_t first, std::size_t count) {
        const RowOperand parts[] = {from(operands[k], first, width * sizeof(V))...};
        aggregate_strip<Lanes, Operation, Aggregate, width>(totals, parts, count, lanes, numbers);
    });
    for (std::size_t total = 0; cell < cells; cell += lanes, ++total) {
        const RowOperand parts[] = {from(operands[k], cell, 0)...};
        const std::size_t count = cells - cell < lanes ? cells - cell : lanes;
        aggregate_strip<Lanes, Operation, Aggregate, 1>(totals + total, parts, rows, count, numbers);
    }
    for (std::size_t half = most / 2; half != 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            totals[i] = Aggregate::combine(totals[i], totals[i + half]);
        }
    }
    if constexpr (Aggregate::neutral == 0) {
        return join_lanes<Aggregate, double>(totals[0]);
    } else {
        return static_cast<double>(join_lanes<Aggregate, Scalar>(totals[0]));
    }
}

template <class Aggregate>
struct OppositeOf {
    using Type = reduction::Maximum;
};
template <>
struct OppositeOf<reduction::Maximum> {
    using Type = reduction::Minimum;
};

// An infinity may be what the search for an extreme began with: if the other extreme is such a one, too, all are NaN.
template <class Lanes, class Operation, class Aggregate, std::size_t arity, class Numbers>
inline double number_or_nan(double result, const RowOperand (&operands)[arity], std::size_t cells, std::size_t rows,
                            Numbers numbers) {
    if constexpr (Aggregate::neutral == 0) {
        return result;
    } else {
        using Opposite = typename OppositeOf<Aggregate>::Type;
        return result == Aggregate::neutral &&
                       aggregate_rows<Lanes, Operation, Opposite>(operands, cells, rows, numbers) == Opposite::neutral
                   ? __builtin_nan("")
                   : result;
    }
}

template <class Lanes, class Operation, class Aggregate, std::size_t... k>
inline void tile_reduce_of(const TileOperation &operation, const TileValue *values, TileSize size, std::size_t together,
                           double *out, std::index_sequence<k...> numbers) {
    for (std::size_t row = 0; row < size.rows; row += together) {
        const auto operand = [&](std::uint32_t number) {
            const TileValue value = row_of(values[number], row);
            return RowOperand{reinterpret_cast<const char *>(value.cells), value.row_bytes, value.goes_on != 0};
        };
        const RowOperand operands[] = {operand(operation.in[k])...};
        *out++ = number_or_nan<Lanes, Operation, Aggregate>(
            aggregate_rows<Lanes, Operation, Aggregate>(operands, size.cells, together, numbers), operands, size.cells,
            together, numbers);
    }
}

template <class Lanes, class Operation, std::size_t arity, class Aggregate>
void tile_reduce(const TileOperation &operation, const TileValue *values, TileSize size, std::size_t together,
                 double *out) noexcept {
    tile_reduce_of<Lanes, Operation, Aggregate>(operation, values, size, together, out,
                                                std::make_index_sequence<arity>());
}

// What other operations give may as well be stored: that takes less time than they do, or few formulas end with them.
template <class Lanes, class Operation, std::size_t arity>
constexpr TileReductions tile_reductions() {
    if constexpr (requires { Operation::is_aggregated; }) {
        return {tile_reduce<Lanes, Operation, arity, reduction::Sum>,
                tile_reduce<Lanes, Operation, arity, reduction::Maximum>,
                tile_reduce<Lanes, Operation, arity, reduction::Minimum>};
    } else {
        return {};
    }
}

}  // namespace
}  // namespace tenrex::kernels
