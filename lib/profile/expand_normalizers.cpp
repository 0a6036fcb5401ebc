// Normalizers: functions of a value of all hits, in the global phase.
#include <algorithm>

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/support/format.h"
#include "lib/syntax/printer.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::as;
using syntax::Kind;
using syntax::Node;

const Node *Expander::normalizer(const syntax::UserCallNode &node, const Scope &scope) {
    const Span span = place(node.span, scope);
    const std::string_view name = node.name.text;
    if (place_ != Place::global_phase) {
        return fail(span, fmt::format("'{}' can only be used in the global phase, where the scores of all hits are "
                                      "known",
                                      name));
    }
    if (in_normalizer_) {
        return fail(span, fmt::format("'{}' within a normalizer", name), "normalizers do not nest");
    }
    if (scope.in_lambda) {
        return fail(span, fmt::format("'{}' within a lambda: it is a number for each hit", name));
    }
    const auto &arguments = node.arguments;
    if (name == fusion_name) {
        if (arguments.size() < 2) {
            return fail(span, fmt::format("'{}' takes at least two features, not {}", name, arguments.size()),
                        "usage: reciprocal_rank_fusion(feature, feature, ...)");
        }
        // The sum of the reciprocal ranks.
        constexpr double k = 60;
        const Node *sum = nullptr;
        for (const Node *value : arguments) {
            const Node *rank = reciprocal_rank(*value, k, name, span, scope);
            if (rank == nullptr) {
                return nullptr;
            }
            const Node *both[] = {sum, rank};
            sum = sum == nullptr ? rank
                                 : arena_.make<syntax::CallNode>(Node{Kind::call, span}, ScalarFunction::add, span,
                                                                 arena_.copy(std::span<const Node *const>(both)));
        }
        return sum;
    }
    const bool linear = name == linear_name;
    if (arguments.empty() || arguments.size() > (linear ? 1 : 2)) {
        return fail(span,
                    fmt::format("'{}' takes one feature{}, not {} arguments", name, linear ? "" : " and a number",
                                arguments.size()),
                    linear ? "usage: normalize_linear(feature)" : "usage: reciprocal_rank(feature, k)");
    }
    if (linear) {
        return normalized(NormalizerKind::linear, 0, name, *arguments[0], span, scope);
    }
    double k = 60;
    if (arguments.size() == 2) {
        if (arguments[1]->kind != Kind::number || !(as<syntax::NumberNode>(*arguments[1]).value >= 0)) {
            return fail(place(arguments[1]->span, scope), "the k of reciprocal_rank must be a number of at least 0");
        }
        k = as<syntax::NumberNode>(*arguments[1]).value;
    }
    return reciprocal_rank(*arguments[0], k, name, span, scope);
}

const Node *Expander::reciprocal_rank(const Node &value, double k, std::string_view name, Span span,
                                      const Scope &scope) {
    return normalized(NormalizerKind::reciprocal_rank, k, name, value, span, scope);
}

const Node *Expander::normalized(NormalizerKind kind, double k, std::string_view name, const Node &value, Span span,
                                 const Scope &scope) {
    const Span place_of_value = place(value.span, scope);
    if (value.kind != Kind::symbol && value.kind != Kind::user_call) {
        return fail(place_of_value, fmt::format("'{}' takes a feature or a function, not an expression", name),
                    "define a function for the expression");
    }
    in_normalizer_ = true;
    Expanded expanded = measured([&] { return expand(value, scope); });
    in_normalizer_ = false;
    if (expanded.node == nullptr) {
        return nullptr;
    }
    std::string input_name = fmt::format("{}(", name == fusion_name ? reciprocal_rank_name : name);
    append_quoted(input_name, syntax::to_string(*expanded.node));
    input_name += kind == NormalizerKind::linear ? ")" : fmt::format(",{})", k);
    const auto same = [&](const NormalizerUse &use) { return use.normalizer.name == input_name; };
    if (std::none_of(normalizers_.begin(), normalizers_.end(), same)) {
        Normalizer normalizer;
        normalizer.name = input_name;
        normalizer.kind = kind;
        normalizer.k = k;
        normalizers_.push_back({std::move(normalizer), std::move(expanded), place_of_value});
        inputs_.document(input_name, {}, ColumnSource::normalizer, {});
    }
    return symbol_node(input_name, span);
}

}  // namespace tenrex::profile
