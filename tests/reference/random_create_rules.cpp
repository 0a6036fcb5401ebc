// Rules that make tensors, take them apart, or have lambdas that compute with tensors; and the list of all rules.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tests/reference/random_pieces.h"

namespace tenrex::random {

Piece PieceMaker::map_subspaces(const TensorType &type, std::size_t depth) {
    const TensorType body_type = type_of(type.cell_type(), dimensions(type, false, true));
    const Dimensions mapped = dimensions(type, true, false);
    Dimensions all = mapped;
    for (const Dimension &dimension : extra_dimensions(type_of(CellType::f64, mapped), 2)) {
        if (dimension.is_indexed()) {
            all.push_back(dimension);
        }
    }
    const CellType cell = body_type.is_scalar() ? cell_type_decaying_to(type) : any_cell_type();
    Piece operand = piece(type_of(cell, all), depth);
    const TensorType block = type_of(cell, dimensions(operand.type, false, true));

    Scope inner{{{"v", block, operand.bound}}, false};
    std::swap(scope_, inner);
    Piece body =
        repeated(static_cast<std::size_t>(extent(mapped)), [&] { return bind(piece(body_type, depth), {"v"}); });
    std::swap(scope_, inner);
    const double bound = body.bound;
    return make(type, bound, "map_subspaces($,f(v)($))", {std::move(operand), std::move(body)});
}

Piece PieceMaker::filter_subspaces(const TensorType &type, std::size_t depth) {
    Piece operand = piece(type, depth);
    const TensorType block = type_of(type.cell_type(), dimensions(type, false, true));
    Scope inner{{{"v", block, operand.bound}}, false};
    std::swap(scope_, inner);
    // The sum of the block would be smooth, but whether it is zero is not.
    Piece body = repeated(static_cast<std::size_t>(extent(dimensions(type, true, false))), [&] {
        return smooth() ? constant(static_cast<double>(source_.below(2)))
                        : bind(piece(source_.chance(70) ? TensorType() : block, depth), {"v"});
    });
    std::swap(scope_, inner);
    const double bound = operand.bound;
    return make(type, bound, "filter_subspaces($,f(v)($))", {std::move(operand), std::move(body)});
}

Piece PieceMaker::generator(const TensorType &type, std::size_t depth) {
    const std::size_t outer = scope_.parameters.size();
    std::string text = spec(type);
    for (const Dimension &dimension : type.dimensions()) {
        scope_.parameters.push_back({dimension.name, TensorType(), static_cast<double>(dimension.size)});
    }
    Piece body = repeated(type.block_cells(), [&] { return narrowed(piece(TensorType(), depth), type.cell_type()); });
    scope_.parameters.resize(outer);
    std::erase_if(scope_.made, [&](const auto &made) {
        return std::any_of(type.dimensions().begin(), type.dimensions().end(),
                           [&](const Dimension &dimension) { return made.first.free.contains(dimension.name); });
    });
    for (const Dimension &dimension : type.dimensions()) {
        body.free.erase(dimension.name);
    }
    const double bound = body.bound;
    return make(type, bound, text + "($)", {std::move(body)});
}

Piece PieceMaker::literal(const TensorType &type, std::size_t depth) {
    std::string text = spec(type) + ":{";
    std::vector<Piece> cells;
    double bound = 0.0;
    // Some addresses, not sorted, one of them perhaps twice: then the first one counts.
    std::size_t count = type.has_mapped() ? source_.below(5) : 1 + source_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
        text += i == 0 ? "{" : ",{";
        Dimensions written = type.dimensions();
        source_.shuffle(written);
        for (std::size_t d = 0; d < written.size(); ++d) {
            const std::string place =
                written[d].is_mapped()
                    ? quoted_label(label(source_.below(std::min<std::size_t>(sizes_.extent(written[d]), 4))))
                    : fmt::to_string(source_.below(written[d].size));
            text += fmt::format("{}{}:{}", d == 0 ? "" : ",", written[d].name, place);
        }
        text += "}:$";
        cells.push_back(repeated(4, [&] {
            return narrowed(depth == 0 ? leaf(TensorType()) : piece(TensorType(), depth / 2), type.cell_type());
        }));
        bound = std::max(bound, cells.back().bound);
    }
    return make(type, bound, text + "}", std::move(cells));
}

Piece PieceMaker::expand(const TensorType &type, std::size_t depth) {
    Dimensions rest = type.dimensions();
    const auto trivial = std::find_if(rest.begin(), rest.end(), [](const Dimension &d) { return d.is_trivial(); });
    const std::string added = trivial->name;
    rest.erase(trivial);
    Piece operand = piece(type_of(cell_type_decaying_to(type), rest), depth);
    const double bound = operand.bound;
    return make(type, bound, fmt::format("expand($,{})", added), {std::move(operand)});
}

// Functions that the checker expands.
Piece PieceMaker::surface(const TensorType &type, std::size_t depth) {
    const std::string dimension = source_.pick(type.dimensions()).name;
    const TensorType operand_type = type_of(cell_type_decaying_to(type), type.dimensions());
    const std::size_t choice = source_.below(smooth() ? 2 : 5);
    if (choice == 0) {
        const Dimensions shared = extra_dimensions(type, 1);
        if (shared.empty()) {
            return piece(type, depth);
        }
        const auto [a, b] = operand_types(type);
        Dimensions with_a = a.dimensions();
        Dimensions with_b = b.dimensions();
        with_a.push_back(shared[0]);
        with_b.push_back(shared[0]);
        // Both have dimensions now, so both cell types count.
        Piece first = piece(type_of(cell_type_decaying_to(type), with_a), depth);
        Piece second = piece(type_of(cell_type_decaying_to(type), with_b), depth);
        const double cells = extent(shared);
        if (first.bound * second.bound * cells > most_sum) {
            first = below(std::move(first), 61.0);
            second = below(std::move(second), 61.0);
        }
        double bound = first.bound * second.bound * cells;
        if (wide() && source_.chance(50)) {
            Piece third = piece(operand_types(type).second, depth);
            bound += third.bound;
            return bounded(make(type, bound, fmt::format("xw_plus_b($,$,$,{})", shared[0].name),
                                {std::move(first), std::move(second), std::move(third)}));
        }
        return bounded(
            make(type, bound, fmt::format("matmul($,$,{})", shared[0].name), {std::move(first), std::move(second)}));
    }
    if (choice == 1 && !exact()) {
        Piece operand = piece(operand_type, depth);
        if (smooth() && operand.bound > 2.5) {
            operand = make(type, 1.0, "tanh($)", {std::move(operand)});
        }
        return make(type, 1.0, fmt::format("softmax($,{})", dimension), {std::move(operand)});
    }
    if (choice <= 2) {
        std::vector<Piece> parts{condition(depth)};
        double bound = 0.0;
        for (int i = 0; i < 3; ++i) {
            parts.push_back(piece(type, depth));
            bound = std::max(bound, parts.back().bound);
        }
        return make(type, bound, "switch($){case 1: $, case 2: $, default: $}", std::move(parts));
    }
    return make(type, 1.0, fmt::format("{}($,{})", choice == 3 ? "argmax" : "argmin", dimension),
                {piece(operand_type, depth)});
}

// ---- which rule fits which type

bool PieceMaker::always(const TensorType &) const {
    return true;
}
bool PieceMaker::is_arithmetic(const TensorType &type) const {
    return type.cell_type() == decay(type.cell_type());
}
bool PieceMaker::is_jumpy_arithmetic(const TensorType &type) const {
    return is_arithmetic(type) && !smooth();
}
bool PieceMaker::is_lambda_arithmetic(const TensorType &type) const {
    return is_arithmetic(type) && !scalar_only_;
}
bool PieceMaker::is_tensor_arithmetic(const TensorType &type) const {
    return is_lambda_arithmetic(type) && !type.is_scalar();
}
bool PieceMaker::is_jumpy_tensor(const TensorType &type) const {
    return is_tensor_arithmetic(type) && !smooth();
}
bool PieceMaker::has_dimensions(const TensorType &type) const {
    return !type.is_scalar();
}
// Rounding to few bits is a jump.
bool PieceMaker::can_cast(const TensorType &type) const {
    return !type.is_scalar() && (is_arithmetic(type) || !smooth());
}
bool PieceMaker::can_concat(const TensorType &type) const {
    const auto &all = type.dimensions();
    return std::any_of(all.begin(), all.end(), [](const Dimension &d) { return d.size >= 2; });
}
bool PieceMaker::can_generate(const TensorType &type) const {
    return type.is_dense() && can_cast(type);
}
bool PieceMaker::can_peek(const TensorType &) const {
    return !scalar_only_;
}
bool PieceMaker::has_mapped(const TensorType &type) const {
    return type.has_mapped();
}
bool PieceMaker::can_map_subspaces(const TensorType &type) const {
    return !scalar_only_ && (can_cast(type) || type.is_scalar()) && (type.has_indexed() || is_arithmetic(type));
}
bool PieceMaker::can_expand(const TensorType &type) const {
    const auto &all = type.dimensions();
    return options_.surface && is_tensor_arithmetic(type) && (all.size() > 1 || type.cell_type() == CellType::f32) &&
           std::any_of(all.begin(), all.end(), [](const Dimension &d) { return d.is_trivial(); });
}
bool PieceMaker::can_surface(const TensorType &type) const {
    return options_.surface && is_tensor_arithmetic(type);
}

const std::vector<PieceMaker::Rule> &PieceMaker::rules() {
    using Maker = PieceMaker;
    static const std::vector<Rule> all = {
        {6, 3, &Maker::is_arithmetic, &Maker::unary},
        {10, 8, &Maker::is_arithmetic, &Maker::binary},
        {2, 1, &Maker::is_jumpy_arithmetic, &Maker::in_set},
        {4, 2, &Maker::always, &Maker::conditional},
        {3, 2, &Maker::is_lambda_arithmetic, &Maker::map},
        {5, 3, &Maker::is_lambda_arithmetic, &Maker::join},
        {4, 3, &Maker::is_tensor_arithmetic, &Maker::merge},
        {8, 6, &Maker::is_lambda_arithmetic, &Maker::reduce},
        {3, 2, &Maker::has_dimensions, &Maker::rename},
        {4, 3, &Maker::can_concat, &Maker::concat},
        {4, 2, &Maker::can_cast, &Maker::cell_cast},
        {2, 2, &Maker::is_jumpy_tensor, &Maker::cell_order},
        {5, 3, &Maker::can_map_subspaces, &Maker::map_subspaces},
        {3, 3, &Maker::has_mapped, &Maker::filter_subspaces},
        {4, 3, &Maker::can_generate, &Maker::generator},
        {3, 1, &Maker::can_cast, &Maker::literal},
        {4, 4, &Maker::can_peek, &Maker::peek},
        {3, 6, &Maker::can_surface, &Maker::surface},
        {4, 2, &Maker::can_expand, &Maker::expand},
        {6, 8, &Maker::can_contract, &Maker::contraction},
        {0, 14, &Maker::is_arithmetic, &Maker::formula},
        {2, 2, &Maker::is_jumpy_wide, &Maker::normalized},
        {1, 1, &Maker::is_jumpy_wide, &Maker::similarity},
        {2, 2, &Maker::can_be_top, &Maker::top},
        {6, 4, &Maker::can_unpack, &Maker::unpacked},
        {2, 1, &Maker::can_range, &Maker::range},
        {1, 1, &Maker::can_be_tokens, &Maker::tokens},
        {3, 6, &Maker::can_call, &Maker::user_call},
    };
    return all;
}

}  // namespace tenrex::random
