// rankingExpression(...): a function by its name, or an expression.

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/parser.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

const Node *Expander::ranking_expression(const FeatureCall &feature, const Scope &scope) {
    if (!arguments(feature, 1, 1, "rankingExpression(function)") || !outputs(feature, {})) {
        return nullptr;
    }
    std::string name = feature.arguments.front();
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
        name = name.substr(1, name.size() - 2);
    }
    if (const FunctionText *function = profile_.functions.find(name)) {
        return call(*function, std::vector<Binding>{}, feature.span, scope);
    }
    if (!is_callable_name(name)) {
        return ranking_expression(name, feature.span, scope);
    }
    std::vector<std::string_view> candidates;
    for (const FunctionText *function : profile_.functions.items()) {
        candidates.push_back(function->name.text);
    }
    const std::string_view near = nearest(name, candidates);
    return fail(feature.span, fmt::format("there is no function '{}'", clipped_name(name)),
                near.empty() ? std::string() : fmt::format("did you mean 'rankingExpression({})'?", near));
}

const Node *Expander::ranking_expression(std::string_view text, Span span, const Scope &scope) {
    const std::vector<std::string_view> calls = called_names(set_.file);
    syntax::ParseOptions options;
    options.user_functions = calls;
    options.dialect = set_.options.dialect;
    options.limits = limits_;
    auto ast = syntax::parse(text, options);
    if (!ast) {
        const Issue &issue = ast.error().issues().front();
        return fail(span, fmt::format("in rankingExpression: {}", issue.message), issue.hint);
    }
    own_texts_.push_back(std::make_shared<const syntax::Ast>(*std::move(ast)));
    const syntax::Ast &own = *own_texts_.back();
    Scope inner = scope_of(own.source(), span, false);
    inner.in_lambda = scope.in_lambda;
    const Node *node = enter(span, levels_of_a_call) ? expand(own.root(), inner) : nullptr;
    stack_ -= levels_of_a_call;
    level_ -= levels_of_a_call;
    return node;
}

}  // namespace tenrex::profile
