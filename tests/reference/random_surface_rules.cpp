// Rules for what the checker expands, for sums of products, and for functions of the user.
#include <algorithm>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "lib/syntax/tensor_function.h"
#include "tests/reference/random_pieces.h"

namespace tenrex::random {

bool PieceMaker::is_jumpy_wide(const TensorType &type) const {
    return options_.surface && options_.sizes == Sizes::wide && is_tensor_arithmetic(type) && any();
}
bool PieceMaker::can_contract(const TensorType &type) const {
    return options_.sizes == Sizes::wide && is_lambda_arithmetic(type);
}
bool PieceMaker::can_be_top(const TensorType &type) const {
    return options_.surface && options_.sizes == Sizes::wide && is_jumpy_tensor(type) && type.is_sparse();
}
bool PieceMaker::can_unpack(const TensorType &type) const {
    const Dimensions indexed = dimensions(type, false, true);
    return options_.surface && can_cast(type) && !indexed.empty() && indexed.back().size % 8 == 0;
}
bool PieceMaker::can_range(const TensorType &type) const {
    return options_.surface && options_.sizes == Sizes::wide && can_generate(type);
}
bool PieceMaker::can_be_tokens(const TensorType &type) const {
    return options_.surface && options_.sizes == Sizes::wide && !scalar_only_ && type.is_scalar() &&
           scope_.sees_inputs && !smooth();
}
bool PieceMaker::can_call(const TensorType &type) const {
    return options_.functions && is_arithmetic(type) && (scope_.sees_inputs || !scalar_only_);
}

// A formula of few values, each in several places: a number beside cells and beside numbers, a cell with itself.
Piece PieceMaker::formula(const TensorType &type, std::size_t depth) {
    std::vector<Piece> values;
    const auto value = [&](Dimensions dimensions) {
        const TensorType wanted = type_of(cell_type_decaying_to(type), std::move(dimensions));
        const bool is_input = scope_.sees_inputs && !scalar_only_ && source_.chance(60);
        return is_input ? input(wanted) : piece(wanted, depth / 2);
    };
    values.push_back(value(type.dimensions()));
    for (std::size_t more = 1 + source_.below(3); more > 0; --more) {
        Dimensions some;
        const std::size_t share = source_.chance(50) ? 0 : 50;
        for (const Dimension &dimension : type.dimensions()) {
            if (source_.chance(share)) {
                some.push_back(dimension);
            }
        }
        values.push_back(value(std::move(some)));
    }
    const auto any_value = [&] { return source_.chance(15) ? constant(number_value()) : source_.pick(values); };
    Piece whole = values.front();
    for (std::size_t operations = 1 + source_.below(6); operations > 0; --operations) {
        if (source_.chance(15)) {
            const TensorType now = joined(whole.type, TensorType());
            whole = apply_unary(now, std::move(whole));
            continue;
        }
        Piece other = any_value();
        if (source_.chance(35)) {
            Piece second = any_value();
            const TensorType now = joined(other.type, second.type);
            other = apply_binary(now, std::move(other), std::move(second));
        }
        if (source_.chance(30)) {
            std::swap(whole, other);
        }
        const TensorType now = joined(whole.type, other.type);
        whole = apply_binary(now, std::move(whole), std::move(other));
        if (now == type && source_.chance(25)) {
            values.push_back(whole);
        }
    }
    return whole.type == type ? whole : apply_unary(type, std::move(whole));
}

// An aggregate of a product or the like: what is computed without storing the product.
Piece PieceMaker::contraction(const TensorType &type, std::size_t depth) {
    const Dimensions gone = extra_dimensions(type, 1 + source_.below(2));
    if (gone.empty()) {
        return binary(type, depth);
    }
    const auto [a, b] = operand_types(type);
    Dimensions with_a = a.dimensions();
    Dimensions with_b = b.dimensions();
    for (const Dimension &dimension : gone) {
        const std::size_t where = source_.below(5);
        if (where != 0) {
            with_a.push_back(dimension);
        }
        if (where != 1) {
            with_b.push_back(dimension);
        }
    }
    // A type that was a number has no say in the cell type.
    const auto cell_type = [&](const TensorType &operand) {
        return operand.is_scalar() || type.is_scalar() ? cell_type_decaying_to(type) : operand.cell_type();
    };
    Piece first = piece(type_of(cell_type(a), with_a), depth);
    Piece second = piece(type_of(cell_type(b), with_b), depth);
    const double cells = extent(gone);
    struct Form {
        const char *pattern;
        bool product;
    };
    constexpr Form forms[] = {{"$*$", true},         {"$*$", true},           {"$*$", true},      {"$-$", false},
                              {"$+$", false},        {"min($,$)", false},     {"$>$", false},     {"$==$", false},
                              {"square($-$)", true}, {"hamming($,$)", false}, {"abs($-$)", false}};
    const std::size_t choices = smooth() ? 6 : std::size(forms);
    const Form &form = forms[source_.below(choices)];
    constexpr Aggregator simple[] = {Aggregator::sum, Aggregator::sum, Aggregator::sum,
                                     Aggregator::max, Aggregator::min, Aggregator::count};
    const Aggregator aggregator =
        any() && source_.chance(25) ? source_.pick(aggregator_table).id : source_.pick(simple);
    // Of a product that of the square of a sum, which may stand for it.
    const auto bound_of = [&] {
        const double both = first.bound + second.bound;
        return form.product ? std::max(both * both, 8.0) : both + 8.0;
    };
    double bound = bound_of();
    if (bound * cells > most_sum) {
        first = below(std::move(first), 61.0);
        second = below(std::move(second), 61.0);
        bound = bound_of();
    }
    if (exact() && bound * cells > most_sum) {
        return piece(type, 0);
    }
    bound = aggregator == Aggregator::sum ? bound * cells : std::max(bound, cells);
    std::string names;
    if (!type.is_scalar() || source_.chance(50)) {
        for (const Dimension &dimension : gone) {
            names += "," + dimension.name;
        }
    }
    return bounded(make(type, bound, fmt::format("reduce({},{}{})", form.pattern, info(aggregator).name, names),
                        {std::move(first), std::move(second)}));
}

Piece PieceMaker::normalized(const TensorType &type, std::size_t depth) {
    const TensorType operand_type = type_of(cell_type_decaying_to(type), type.dimensions());
    constexpr const char *names[] = {"l1_normalize", "l2_normalize", "softmax", "argmax", "argmin"};
    const char *const name = source_.pick(names);
    Piece operand = piece(operand_type, depth);
    return make(type, 0.0, fmt::format("{}($,{})", name, source_.pick(type.dimensions()).name), {std::move(operand)});
}

Piece PieceMaker::similarity(const TensorType &type, std::size_t depth) {
    Dimensions gone = extra_dimensions(type, 4);
    std::erase_if(gone, [](const Dimension &dimension) { return dimension.is_mapped(); });
    if (gone.empty()) {
        return piece(type, depth);
    }
    const auto [a, b] = operand_types(type);
    Dimensions with_a = a.dimensions();
    Dimensions with_b = b.dimensions();
    with_a.push_back(gone.front());
    with_b.push_back(gone.front());
    Piece first = piece(type_of(cell_type_decaying_to(type), with_a), depth);
    Piece second = piece(type_of(cell_type_decaying_to(type), with_b), depth);
    return make(
        type, 0.0,
        fmt::format("{}($,$,{})", source_.chance(50) ? "cosine_similarity" : "euclidean_distance", gone.front().name),
        {std::move(first), std::move(second)});
}

Piece PieceMaker::top(const TensorType &type, std::size_t depth) {
    Piece many = source_.chance(60) ? make(TensorType(), 0.0, fmt::to_string(1 + source_.below(6)), {})
                                    : piece(TensorType(), depth / 2);
    Piece operand = piece(type_of(cell_type_decaying_to(type), type.dimensions()), depth);
    const double bound = operand.bound;
    return make(type, bound, "top($,$)", {std::move(many), std::move(operand)});
}

Piece PieceMaker::unpacked(const TensorType &type, std::size_t depth) {
    Dimensions packed = type.dimensions();
    const std::string last = dimensions(type, false, true).back().name;
    for (Dimension &dimension : packed) {
        dimension.size /= dimension.name == last ? 8 : 1;
    }
    Piece operand = piece(type_of(CellType::i8, packed), depth);
    std::string form = "unpack_bits($)";
    if (type.cell_type() != CellType::f32 || source_.chance(50)) {
        constexpr const char *orders[] = {"", ",big", ",little"};
        form = fmt::format("unpack_bits($,{}{})", name(type.cell_type()), source_.pick(orders));
    }
    return make(type, 1.0, form, {std::move(operand)});
}

// Tensors without operands.
Piece PieceMaker::range(const TensorType &type, std::size_t) {
    std::string dimensions;
    double bound = 0.0;
    for (const Dimension &dimension : type.dimensions()) {
        dimensions += fmt::format("{}{}[{}]", dimensions.empty() ? "" : ",", dimension.name, dimension.size);
        bound += static_cast<double>(dimension.size - 1);
    }
    const bool fits = bound <= std::min(most_whole_number(type.cell_type()), 4096.0);
    const char *function = fits && source_.chance(50) ? "range" : "diag";
    if (!exact() && source_.chance(30)) {
        function = "random";
    }
    bound = function == std::string_view("range") ? bound : 1.0;
    const std::string cell = type.cell_type() == CellType::f64 ? "" : fmt::format("<{}>", name(type.cell_type()));
    return bounded(make(type, bound, fmt::format("{}{}({})", function, cell, dimensions), {}));
}

Piece PieceMaker::tokens(const TensorType &type, std::size_t) {
    const auto sequence = [&] { return input(*TensorType::make(CellType::f32, {{"d0", 1 + source_.below(9)}})); };
    const std::size_t size = 1 + source_.below(20);
    Piece first = sequence();
    Piece second = sequence();
    constexpr const char *names[] = {"tokenInputIds(", "customTokenInputIds(1,2,", "tokenTypeIds(",
                                     "tokenAttentionMask("};
    return bounded(make(type, 256.0 * 20, fmt::format("sum({}{},$,$))", source_.pick(names), size),
                        {std::move(first), std::move(second)}));
}

Piece PieceMaker::user_call(const TensorType &type, std::size_t depth) {
    const std::size_t arguments = 1 + source_.below(type.is_scalar() ? 3 : 2);
    if (arguments == 1) {
        Piece operand = piece(type_of(cell_type_decaying_to(type), type.dimensions()), depth);
        const double bound = 2.0 * operand.bound;
        return bounded(make(type, bound, "user_twice($)", {std::move(operand)}));
    }
    if (arguments == 2) {
        const auto [a, b] = operand_types(type);
        Piece first = piece(a, depth);
        Piece second = piece(b, depth);
        const double bound = first.bound + second.bound;
        return bounded(make(type, bound, "user_less($,$)", {std::move(first), std::move(second)}));
    }
    Piece when = condition(depth);
    Piece first = piece(type, depth);
    Piece second = piece(type, depth);
    const double bound = std::max(first.bound, second.bound);
    return make(type, bound, "user_choose($,$,$)", {std::move(when), std::move(first), std::move(second)});
}

}  // namespace tenrex::random
