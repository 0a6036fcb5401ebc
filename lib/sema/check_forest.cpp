// forest(name), forest(name).raw and forest(name).label: the sums of a forest, and what its objective makes of them.
#include <numeric>

#include "lib/forest/model.h"
#include "lib/sema/checker.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::sema {

using forest::Link;

Expr *Checker::check_forest(const syntax::SymbolNode &node, bool &known) {
    if (!node.is_call || node.base != "forest" || node.arguments.size() != 1) {
        return nullptr;
    }
    const ForestDeclaration *const declared = schema_.find_forest(node.arguments.front().text);
    if (declared == nullptr) {
        return nullptr;
    }
    known = true;
    const bool wants_label = node.output == "label";
    if (!node.output.empty() && node.output != "raw" && !wants_label) {
        return fail(node.span, fmt::format("a forest has no output '{}'", clipped(node.output)),
                    fmt::format("forest({0}) is the prediction, forest({0}).raw the sum of the leaves",
                                clipped(declared->name)));
    }
    const forest::Labels &labels = declared->forest.model()->labels;
    if (wants_label && labels.numbers.empty()) {
        return fail(node.span,
                    fmt::format("forest({}) has no label: {}", clipped(declared->name),
                                labels.are_texts ? "its labels are texts" : "the file has no numbers for its classes"),
                    fmt::format("forest({}) is its prediction", clipped(declared->name)));
    }
    const auto [found, is_new] = forests_.try_emplace(declared);
    if (is_new) {
        found->second = sums_of_forest(*declared, node.span);
    }
    Expr *const sums = found->second;
    if (sums == nullptr || node.output == "raw") {
        return sums;
    }
    return wants_label ? label_of_forest(labels, sums, node.span) : value_of_forest(*declared, sums, node.span);
}

Expr *Checker::sums_of_forest(const ForestDeclaration &declared, Span span) {
    std::vector<Expr *> features;
    std::string missing;
    std::size_t count = 0;
    constexpr std::size_t most_named = 5;
    for (const std::string &name : declared.inputs) {
        features.push_back(feature_of_forest(name, span));
        if (features.back() == nullptr && count++ < most_named) {
            missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", clipped_name(name));
        } else if (features.back() != nullptr && !features.back()->type->is_scalar()) {
            return fail(span,
                        fmt::format("the feature '{}' of forest({}) must be a number, but it is {}", clipped_name(name),
                                    clipped(declared.name), features.back()->type->to_string()),
                        "declare it as a double");
        }
    }
    if (count > 0) {
        return fail(
            span,
            fmt::format("forest({}) needs the feature{} {}{}, which {} not declared", clipped(declared.name),
                        count == 1 ? "" : "s", missing, count > most_named ? ", ..." : "", count == 1 ? "is" : "are"),
            "declare an input of that name, attribute(NAME) or query(NAME)");
    }
    const auto &model = declared.forest.model();
    return builder_.forest({model, &model->forest}, features, span);
}

Expr *Checker::feature_of_forest(std::string_view name, Span span) {
    if (const auto definition = definitions_.find(name); definition != definitions_.end()) {
        return definition->second;
    }
    for (const std::string &tried :
         {std::string(name), fmt::format("attribute({})", name), fmt::format("query({})", name)}) {
        if (const InputDeclaration *declared = schema_.find_input(tried)) {
            const auto input = find_input(declared->name, span);
            return builder_.input(*input, builder_.input_type(*input), span);
        }
    }
    return nullptr;
}

Expr *Checker::value_of_forest(const ForestDeclaration &declared, Expr *sums, Span span) {
    using F = ScalarFunction;
    const forest::Transform &transform = declared.forest.model()->transform;
    const Site at{"forest", span, span};
    const auto with = [&](F function, Expr *a, double b) { return call(function, a, number(b, span), at); };
    Expr *x = transform.divisor == 1 ? sums : with(F::divide, sums, transform.divisor);
    if (transform.choice != forest::Choice::each && !x->type->is_scalar()) {
        const bool smallest = transform.choice == forest::Choice::smallest;
        x = reduce(x, smallest ? Aggregator::min : Aggregator::max, outputs_of(x), span);
    }
    const Names classes = outputs_of(x);
    if (!transform.offsets.empty()) {
        x = call(F::add, x, one_for_each_output(*x, transform.offsets, span), at);
    }
    switch (transform.link) {
        case Link::identity:
            return x;
        case Link::signed_square:
            return call(F::multiply, call(F::abs, x, span), x, at);
        case Link::exp:
            return call(F::exp, x, span);
        case Link::log_of_one_plus_exp: {
            // max(x,0) + log1p(y) with y = exp(-|x|), where log1p(y) is y * log(1+y) / ((1+y) - 1), or y if that is
            // 0/0.
            Expr *y = call(F::exp, call(F::negate, call(F::abs, x, span), span), span);
            Expr *one_more = with(F::add, y, 1);
            Expr *rounded = with(F::subtract, one_more, 1);
            Expr *product = call(F::multiply, y, call(F::log, one_more, span), at);
            Expr *log1p = conditional(with(F::equal, rounded, 0), y, call(F::divide, product, rounded, at), 0.5, at);
            return call(F::add, with(F::max, x, 0), log1p, at);
        }
        case Link::sigmoid:
            return call(F::sigmoid, transform.scale == 1 ? x : with(F::multiply, x, transform.scale), span);
        case Link::clamped_sigmoid: {
            constexpr float least = -88.7F;
            return call(F::sigmoid, with(F::max, x, static_cast<double>(least)), span);
        }
        case Link::step:
            return with(F::greater, x, 0);
        case Link::softmax: {
            Expr *distances = call(F::subtract, x, reduce(x, Aggregator::max, classes, span), at);
            if (declared.forest.model()->forest.sum == forest::SumType::in_float && !distances->type->is_scalar()) {
                // So trainers have it, whose results depend on it where distances are large.
                distances = cell_cast(cell_cast(distances, CellType::f32, span), CellType::f64, span);
            }
            Expr *powers = call(F::exp, distances, span);
            return call(F::divide, powers, reduce(powers, Aggregator::sum, classes, span), at);
        }
        case Link::softmax_of_others: {
            // Numbers next to 0 stand beside a largest one of -1e-7 or more; bounds keep what is not taken finite.
            const double zero = static_cast<double>(1e-7F);
            Expr *largest = reduce(x, Aggregator::max, classes, span);
            Expr *is_other = with(F::greater, call(F::abs, x, span), zero);
            Expr *powers = call(F::exp, call(F::subtract, x, largest, at), span);
            powers = call(F::multiply, is_other, powers, at);
            Expr *scale = call(F::exp, with(F::min, call(F::negate, largest, span), 1), span);
            Expr *small = with(F::max, with(F::min, x, zero), -zero);
            small = call(F::multiply, call(F::multiply, small, with(F::equal, is_other, 0), at), scale, at);
            Expr *sum = reduce(powers, Aggregator::sum, classes, span);
            return call(F::divide, call(F::add, powers, small, at), sum, at);
        }
        case Link::index_of_largest: {
            if (x->type->is_scalar()) {
                return number(0, span);
            }
            return index_of_largest(x, span);
        }
        case Link::probit: {
            // The constants, and where they are rounded, are those of the definition.
            constexpr double a = 0.147;
            constexpr double pi = 3.14159;
            constexpr double root_of_2 = 1.41421356;
            Expr *y = with(F::subtract, with(F::multiply, x, 2), 1);
            Expr *product = call(F::multiply, call(F::subtract, number(1, span), y, at), with(F::add, y, 1), at);
            Expr *log = call(F::log, product, span);
            Expr *v = with(F::add, with(F::multiply, log, 0.5), 2 / (pi * a));
            Expr *squares = call(F::subtract, call(F::multiply, v, v, at), with(F::divide, log, a), at);
            Expr *root = call(F::sqrt, call(F::subtract, call(F::sqrt, squares, span), v, at), span);
            Expr *sign =
                call(F::subtract, number(root_of_2, span), with(F::multiply, with(F::less, y, 0), 2 * root_of_2), at);
            return call(F::multiply, sign, root, at);
        }
    }
    return nullptr;
}

Expr *Checker::label_of_forest(const forest::Labels &labels, Expr *sums, Span span) {
    using F = ScalarFunction;
    const Site at{"forest", span, span};
    if (sums->type->is_scalar()) {
        Expr *is_second = call(F::greater, sums, number(labels.threshold, span), at);
        return conditional(is_second, number(labels.numbers.back(), span), number(labels.numbers.front(), span), 0.5,
                           at);
    }
    // The sum of all labels, of which only one is not taken 0 times. So none of them may be infinite; they are whole
    // numbers.
    std::vector<double> indexes(labels.numbers.size());
    std::iota(indexes.begin(), indexes.end(), 0.0);
    Expr *is_chosen = call(F::equal, one_for_each_output(*sums, indexes, span), index_of_largest(sums, span), at);
    Expr *chosen = call(F::multiply, is_chosen, one_for_each_output(*sums, labels.numbers, span), at);
    return reduce(chosen, Aggregator::sum, outputs_of(sums), span);
}

// The largest of count - k over the outputs k that equal the largest.
Expr *Checker::index_of_largest(Expr *x, Span span) {
    using F = ScalarFunction;
    const Site at{"forest", span, span};
    const std::uint64_t count = x->type->block_cells();
    std::vector<double> weights(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        weights[k] = static_cast<double>(count - k);
    }
    Expr *is_largest = call(F::equal, x, reduce(x, Aggregator::max, outputs_of(x), span), at);
    Expr *weighted = call(F::multiply, is_largest, one_for_each_output(*x, weights, span), at);
    Expr *first = reduce(weighted, Aggregator::max, outputs_of(x), span);
    return call(F::subtract, number(static_cast<double>(count), span), first, at);
}

Expr *Checker::one_for_each_output(const Expr &x, const std::vector<double> &numbers, Span span) {
    if (x.type->is_scalar()) {
        return number(numbers.front(), span);
    }
    TensorBuilder cells(*x.type);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        cells.set(cells.block({}), k, numbers[k]);
    }
    return builder_.constant(std::move(cells).build(), span);
}

Checker::Names Checker::outputs_of(const Expr *x) {
    return x->type->is_scalar() ? Names{} : Names{x->type->dimensions().front().name};
}

}  // namespace tenrex::sema
