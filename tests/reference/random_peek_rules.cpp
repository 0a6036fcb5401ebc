// Rules for peeks: at fixed and computed labels and indexes, of up to a dozen dimensions.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tests/reference/random_pieces.h"

namespace tenrex::random {

// A number that the checker does not know.
std::optional<Piece> PieceMaker::variable() {
    for (const Parameter &known : scope_.parameters) {
        if (known.type.is_scalar()) {
            return parameter(known);
        }
    }
    return scope_.sees_inputs ? std::optional(input(TensorType(), Stage::document)) : std::nullopt;
}

// An index that is computed: a window, a stride, backwards. What has a fraction is truncated.
Piece PieceMaker::index(Piece variable) {
    const auto number = [&] { return fmt::to_string(source_.below(9)); };
    switch (source_.below(8)) {
        case 0:
            return make(TensorType(), 0.0, "$+" + number(), {std::move(variable)});
        case 1:
            return make(TensorType(), 0.0, number() + "-$", {std::move(variable)});
        case 2:
            return make(TensorType(), 0.0, "$*" + number() + "+" + number(), {std::move(variable)});
        case 3:
            return make(TensorType(), 0.0, source_.chance(50) ? "$/8" : "$%8", {std::move(variable)});
        case 4: {
            std::optional<Piece> other = this->variable();
            return other ? make(TensorType(), 0.0, "$+$", {std::move(variable), *std::move(other)}) : variable;
        }
        default:
            return variable;
    }
}

Piece PieceMaker::peek(const TensorType &type, std::size_t depth) {
    const Dimensions gone = extra_dimensions(type, 1 + source_.below(sizes_.most_dimensions > 4 ? 11 : 2));
    if (gone.empty()) {
        return piece(type, depth);
    }
    Dimensions all = type.dimensions();
    all.insert(all.end(), gone.begin(), gone.end());
    std::vector<Piece> parts;
    parts.push_back(piece(type_of(type.is_scalar() ? any_cell_type() : type.cell_type(), all), depth));
    const double bound = parts.front().bound;
    std::string places;
    constexpr std::size_t shares[] = {20, 40, 40, 100};  // percent of the labels that are computed
    const std::size_t computed = source_.pick(shares);
    for (const Dimension &dimension : gone) {
        places += fmt::format("{}{}:", places.empty() ? "" : ",", dimension.name);
        if (std::optional<Piece> index = source_.chance(computed) ? variable() : std::nullopt) {
            places += "($)";
            if (source_.chance(50)) {
                index = this->index(*std::move(index));
            } else if (!smooth() && source_.chance(50)) {
                index = make(TensorType(), 0.0, "$+$", {*std::move(index), piece(TensorType(), depth / 2)});
            }
            parts.push_back(*std::move(index));
        } else {
            places += dimension.is_mapped() ? quoted_label(label(source_.below(sizes_.extent(dimension) + 1)))
                                            : fmt::to_string(source_.below(dimension.size));
        }
    }
    // The short form, for the only dimension that can be meant.
    const Dimension &first = gone.front();
    const bool only = gone.size() == 1 && (first.is_mapped() ? type.mapped_count() == 0 : !type.has_indexed());
    if (only && options_.surface && source_.chance(40)) {
        const std::string place = places.substr(first.name.size() + 1);
        return make(type, bound, first.is_mapped() ? "${" + place + "}" : "$[" + place + "]", std::move(parts));
    }
    return make(type, bound, fmt::format("${{{}}}", places), std::move(parts));
}

}  // namespace tenrex::random
