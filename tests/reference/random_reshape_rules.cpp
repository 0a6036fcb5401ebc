// Rules that give cells other places, names or types.
#include <algorithm>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tests/reference/random_pieces.h"

namespace tenrex::random {

Piece PieceMaker::rename(const TensorType &type, std::size_t depth) {
    // New names for some dimensions; a swap of two of a kind is a renaming too.
    Dimensions before = type.dimensions();
    std::string from, to;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (source_.chance(60) || (from.empty() && i + 1 == before.size())) {
            const std::string fresh = fmt::format("n{}", fresh_names_++);
            from += (from.empty() ? "" : ",") + fresh;
            to += fmt::format("{}{}", to.empty() ? "" : ",", before[i].name);
            if (before[i].is_mapped()) {
                sizes_.labels[fresh] = sizes_.extent(before[i]);
            }
            before[i].name = fresh;
        }
    }
    const Dimensions &now = type.dimensions();
    if (now.size() == 2 && source_.chance(50) &&
        (!now[0].is_mapped() || !now[1].is_mapped() || sizes_.extent(now[0]) == sizes_.extent(now[1]))) {
        before = type.dimensions();
        std::swap(before[0].name, before[1].name);
        from = before[0].name + "," + before[1].name;
        to = before[1].name + "," + before[0].name;
    }
    Piece operand = piece(type_of(type.cell_type(), before), depth);
    const double bound = operand.bound;
    const bool several = from.find(',') != from.npos || source_.chance(30);
    return make(type, bound, fmt::format(fmt::runtime(several ? "rename($,({}),({}))" : "rename($,{},{})"), from, to),
                {std::move(operand)});
}

Piece PieceMaker::concat(const TensorType &type, std::size_t depth) {
    Dimensions indexed = dimensions(type, false, true);
    indexed.erase(std::remove_if(indexed.begin(), indexed.end(), [](const Dimension &d) { return d.size < 2; }),
                  indexed.end());
    const Dimension along = source_.pick(indexed);
    const std::uint64_t first_size = 1 + source_.below(along.size - 1);
    Dimensions a, b;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.name == along.name) {
            continue;
        }
        const std::size_t where = source_.below(4);
        if (where != 0) {
            a.push_back(dimension);
        }
        if (where != 1) {
            b.push_back(dimension);
        }
    }
    // A number beside cells of few bits is rounded to them, which is a jump.
    const bool no_numbers = smooth() && !is_arithmetic(type);
    if (first_size != 1 || source_.chance(60) || (no_numbers && a.empty())) {
        a.push_back({along.name, first_size});
    }
    if (along.size - first_size != 1 || a.empty() || source_.chance(60) || (no_numbers && b.empty())) {
        b.push_back({along.name, along.size - first_size});
    }
    if (type.cell_type() != CellType::f64 && a.empty() && b.empty()) {
        b.push_back({along.name, along.size - first_size});
    }
    Piece first = narrowed(piece(type_of(type.cell_type(), a), depth), a.empty() ? type.cell_type() : CellType::f64);
    Piece second = narrowed(piece(type_of(type.cell_type(), b), depth), b.empty() ? type.cell_type() : CellType::f64);
    const double bound = std::max(first.bound, second.bound);
    return make(type, bound, fmt::format("concat($,$,{})", along.name), {std::move(first), std::move(second)});
}

Piece PieceMaker::cell_cast(const TensorType &type, std::size_t depth) {
    const CellType before = any_cell_type();
    Piece operand = narrowed(piece(type_of(before, type.dimensions()), depth), type.cell_type());
    const double bound = operand.bound;
    return make(type, bound, fmt::format("cell_cast($,{})", name(type.cell_type())), {std::move(operand)});
}

Piece PieceMaker::cell_order(const TensorType &type, std::size_t depth) {
    Piece operand = piece(type_of(cell_type_decaying_to(type), type.dimensions()), depth);
    return bounded(make(type, extent(type.dimensions()), source_.chance(50) ? "cell_order($,max)" : "cell_order($,min)",
                        {std::move(operand)}));
}

}  // namespace tenrex::random
