// One function per kind of operation: makes a node of the given type with operands of fitting types.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"
#include "tests/reference/random_pieces.h"

namespace tenrex::random {

namespace {

// What the functions for exact and for smooth numbers do to the bounds of their operands.
struct UnaryRule {
    const char *pattern;
    double (*bound)(double);
    double most = 1e300;  // bound of an operand that it can take
};
struct BinaryRule {
    const char *pattern;
    double (*bound)(double, double);
};
constexpr auto same = [](double a) { return a; };
constexpr auto one = [](double) { return 1.0; };
constexpr auto either = [](double, double) { return 1.0; };
constexpr auto larger = [](double a, double b) { return std::max(a, b); };
constexpr auto total = [](double a, double b) { return a + b; };
constexpr auto product = [](double a, double b) { return a * b; };

constexpr UnaryRule exact_unary[] = {
    {"(-$)", same},
    {"(!$)", one},
    {"abs($)", same},
    {"fabs($)", same},
    {"relu($)", same},
    {"sign($)", one},
    {"ceil($)", same},
    {"floor($)", same},
    {"round($)", same},
    {"isNan($)", one},
    {"square($)", [](double a) { return a * a; }},
};
constexpr BinaryRule exact_binary[] = {
    {"($+$)", total},
    {"($-$)", total},
    {"($*$)", product},
    {"($*$)", product},
    {"($==$)", either},
    {"($!=$)", either},
    {"($<$)", either},
    {"($<=$)", either},
    {"($>$)", either},
    {"($>=$)", either},
    {"($~=$)", either},
    {"($&&$)", either},
    {"($||$)", either},
    {"min($,$)", larger},
    {"max($,$)", larger},
    {"bit($,$)", either},
    {"hamming($,$)", [](double, double) { return 8.0; }},
};
constexpr UnaryRule smooth_unary[] = {
    {"(-$)", same},
    {"abs($)", same},
    {"relu($)", same},
    {"sigmoid($)", one},
    {"tanh($)", one},
    {"sin($)", one},
    {"cos($)", one},
    {"atan($)", [](double) { return 1.6; }},
    {"elu($)", [](double a) { return std::max(a, 1.0); }},
    {"erf($)", one},
    {"square($)", [](double a) { return a * a; }},
    {"exp($)", [](double a) { return std::exp(a); }, 2.5},
};
constexpr BinaryRule smooth_binary[] = {
    {"($+$)", total},   {"($-$)", total},     {"($*$)", product},
    {"($*$)", product}, {"min($,$)", larger}, {"max($,$)", larger},
};

}  // namespace

namespace {
// What makes anything 0 or 1.
bool is_logic(const ScalarFunctionInfo &entry) {
    return entry.is_operator && entry.arity == 2 && std::string_view("+-*/").find(entry.name) == std::string_view::npos;
}
}  // namespace

Piece PieceMaker::apply_unary(const TensorType &type, Piece operand) {
    if (any()) {
        const ScalarFunctionInfo *entry = nullptr;
        do {
            entry = &source_.pick(scalar_function_table);
        } while (entry->arity != 1);
        return make(type, 0.0, fmt::format(fmt::runtime(entry->is_operator ? "({}$)" : "{}($)"), entry->name),
                    {std::move(operand)});
    }
    const UnaryRule *rule = nullptr;
    do {
        rule = exact() ? &source_.pick(exact_unary) : &source_.pick(smooth_unary);
    } while (operand.bound > rule->most);
    const double bound = rule->bound(operand.bound);
    return bounded(make(type, bound, rule->pattern, {std::move(operand)}));
}

Piece PieceMaker::apply_binary(const TensorType &type, Piece a, Piece b) {
    if (any()) {
        constexpr const char *arithmetic[] = {"($+$)", "($-$)", "($*$)", "($*$)", "($/$)"};
        if (wide() && source_.chance(50)) {
            return make(type, 0.0, source_.pick(arithmetic), {std::move(a), std::move(b)});
        }
        const ScalarFunctionInfo *entry = nullptr;
        do {
            entry = &source_.pick(scalar_function_table);
        } while (entry->arity != 2 || (wide() && is_logic(*entry) && source_.chance(60)));
        return make(type, 0.0, fmt::format(fmt::runtime(entry->is_operator ? "(${}$)" : "{}($,$)"), entry->name),
                    {std::move(a), std::move(b)});
    }
    const std::size_t all = exact() ? std::size(exact_binary) : std::size(smooth_binary);
    const BinaryRule *const rules = exact() ? exact_binary : smooth_binary;
    const BinaryRule &rule = rules[source_.below(wide() && source_.chance(50) ? 4 : all)];  // arithmetic comes first
    const double bound = rule.bound(a.bound, b.bound);
    return bounded(make(type, bound, rule.pattern, {std::move(a), std::move(b)}));
}

Piece PieceMaker::unary(const TensorType &type, std::size_t depth) {
    const TensorType operand = type_of(cell_type_decaying_to(type), type.dimensions());
    return apply_unary(type, piece(operand, depth));
}

Piece PieceMaker::binary(const TensorType &type, std::size_t depth) {
    const auto [a, b] = operand_types(type);
    Piece first = piece(a, depth);
    return apply_binary(type, std::move(first), piece(b, depth));
}

Piece PieceMaker::in_set(const TensorType &type, std::size_t depth) {
    const TensorType operand = type_of(cell_type_decaying_to(type), type.dimensions());
    std::string set;
    for (std::size_t i = source_.below(4); i > 0; --i) {
        set += fmt::format("{}{}", set.empty() ? "" : ",", number_value());
    }
    return make(type, 1.0, fmt::format("($ in [{}])", set), {piece(operand, depth)});
}

// A comparison that rounding cannot turn over.
Piece PieceMaker::condition(std::size_t depth) {
    if (!smooth()) {
        return piece(TensorType(), depth);
    }
    return make(TensorType(), 1.0, source_.chance(50) ? "($<$)" : "($==$)",
                {leaf(TensorType()), constant(number_value())});
}

Piece PieceMaker::conditional(const TensorType &type, std::size_t depth) {
    Piece when = condition(depth);
    Piece first = piece(type, depth);
    Piece second = piece(type, depth);
    const double bound = std::max(first.bound, second.bound);
    return make(type, bound, source_.chance(80) ? "if($,$,$)" : "if($,$,$,0.25)",
                {std::move(when), std::move(first), std::move(second)});
}

Piece PieceMaker::scalar_body(std::size_t depth, std::vector<Parameter> parameters) {
    Scope inner{std::move(parameters), false};
    std::swap(scope_, inner);
    const bool outer = std::exchange(scalar_only_, true);
    Piece body = piece(TensorType(), depth + 1);
    scalar_only_ = outer;
    std::swap(scope_, inner);
    return body;
}

Piece PieceMaker::map(const TensorType &type, std::size_t depth) {
    Piece operand = piece(type_of(cell_type_decaying_to(type), type.dimensions()), depth);
    Piece body = bind(scalar_body(2, {{"p", TensorType(), operand.bound}}), {"p"});
    const double bound = body.bound;
    return make(type, bound, "map($,f(p)($))", {std::move(operand), std::move(body)});
}

Piece PieceMaker::join(const TensorType &type, std::size_t depth) {
    const auto [a, b] = operand_types(type);
    Piece first = piece(a, depth);
    Piece second = piece(b, depth);
    Piece body =
        bind(scalar_body(2, {{"p", TensorType(), first.bound}, {"q", TensorType(), second.bound}}), {"p", "q"});
    const double bound = body.bound;
    return make(type, bound, "join($,$,f(p,q)($))", {std::move(first), std::move(second), std::move(body)});
}

Piece PieceMaker::merge(const TensorType &type, std::size_t depth) {
    auto [a, b] = operand_types(type);
    a = type_of(cell_type_decaying_to(type), type.dimensions());
    b = type_of(cell_type_decaying_to(type), type.dimensions());
    Piece first = piece(a, depth);
    Piece second = piece(b, depth);
    Piece body =
        bind(scalar_body(2, {{"p", TensorType(), first.bound}, {"q", TensorType(), second.bound}}), {"p", "q"});
    const double bound = std::max({first.bound, second.bound, body.bound});
    return make(type, bound, "merge($,$,f(p,q)($))", {std::move(first), std::move(second), std::move(body)});
}

Piece PieceMaker::reduce(const TensorType &type, std::size_t depth) {
    const Dimensions gone = extra_dimensions(type, 1 + source_.below(2));
    if (gone.empty() && !type.is_scalar()) {
        return unary(type, depth);
    }
    Dimensions all = type.dimensions();
    all.insert(all.end(), gone.begin(), gone.end());
    const TensorType before = type_of(cell_type_decaying_to(type), all);
    Piece operand =
        wide() && !before.is_scalar() && source_.chance(40) ? formula(decayed(before), depth) : piece(before, depth);
    const double cells = extent(gone);  // at most so many are aggregated
    constexpr Aggregator simple[] = {Aggregator::sum, Aggregator::sum, Aggregator::max, Aggregator::min,
                                     Aggregator::count};
    constexpr Aggregator continuous[] = {Aggregator::sum, Aggregator::avg,   Aggregator::max,
                                         Aggregator::min, Aggregator::count, Aggregator::median};
    const Aggregator aggregator =
        any() ? source_.pick(aggregator_table).id : (exact() ? source_.pick(simple) : source_.pick(continuous));
    const double bound = aggregator == Aggregator::sum     ? operand.bound * cells
                         : aggregator == Aggregator::count ? cells
                                                           : operand.bound;
    std::string names;
    if (!type.is_scalar() || (!gone.empty() && source_.chance(50))) {
        for (const Dimension &dimension : gone) {
            names += "," + dimension.name;
        }
    }
    const bool short_form = options_.surface && source_.chance(30) &&
                            (names.empty() || (aggregator != Aggregator::max && aggregator != Aggregator::min));
    const std::string_view word = info(aggregator).name;
    return bounded(make(type, bound,
                        short_form ? fmt::format("{}(${})", word, names) : fmt::format("reduce($,{}{})", word, names),
                        {std::move(operand)}));
}

}  // namespace tenrex::random
