// forest(name) and forest(name).raw: the sums of a forest, and what its objective makes of them.
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
    if (!node.output.empty() && node.output != "raw") {
        return fail(node.span, fmt::format("a forest has no output '{}'", clipped(node.output)),
                    fmt::format("forest({0}) is the prediction, forest({0}).raw the sum of the leaves",
                                clipped(declared->name)));
    }
    const auto [found, is_new] = forests_.try_emplace(declared);
    if (is_new) {
        found->second = sums_of_forest(*declared, node.span);
    }
    Expr *const sums = found->second;
    return sums == nullptr || node.output == "raw" ? sums : value_of_forest(*declared, sums, node.span);
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
    const Names classes = sums->type->is_scalar() ? Names{} : Names{sums->type->dimensions().front().name};
    const auto with = [&](F function, Expr *a, double b) { return call(function, a, number(b, span), at); };
    Expr *x = transform.divisor == 1 ? sums : with(F::divide, sums, transform.divisor);
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
            Expr *largest = reduce(x, Aggregator::max, classes, span);
            Expr *powers = call(F::exp, call(F::subtract, x, largest, at), span);
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
            // The largest of count - k over the outputs k that equal the largest.
            const std::uint64_t count = x->type->block_cells();
            TensorBuilder weights(*x->type);
            for (std::uint64_t k = 0; k < count; ++k) {
                weights.set(weights.block({}), k, static_cast<double>(count - k));
            }
            Expr *is_largest = call(F::equal, x, reduce(x, Aggregator::max, classes, span), at);
            Expr *weighted = call(F::multiply, is_largest, builder_.constant(std::move(weights).build(), span), at);
            Expr *first = reduce(weighted, Aggregator::max, classes, span);
            return call(F::subtract, number(static_cast<double>(count), span), first, at);
        }
    }
    return nullptr;
}

}  // namespace tenrex::sema
