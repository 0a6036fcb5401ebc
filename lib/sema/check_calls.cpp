// Operators, scalar functions, `in`, `if`, `switch` and functions of the user.

#include "lib/sema/checker.h"
#include "lib/sema/constant_value.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::as;
using syntax::Kind;

namespace {

// An entry of `in` as the core dialect allows it: a number or string, perhaps negated.
std::optional<double> constant_entry(const syntax::Node &node) {
    double sign = 1;
    const syntax::Node *at = &node;
    while (at->kind == Kind::call && as<syntax::CallNode>(*at).function == ScalarFunction::negate) {
        sign = -sign;
        at = as<syntax::CallNode>(*at).arguments.front();
    }
    if (at->kind == Kind::number) {
        return sign * as<syntax::NumberNode>(*at).value;
    }
    if (at->kind == Kind::string) {
        return sign * string_number(as<syntax::StringNode>(*at).text);
    }
    return std::nullopt;
}

}  // namespace

Expr *Checker::check_unary(const syntax::CallNode &node) {
    Expr *operand = check(*node.arguments.front());
    warn_of_strings(node, operand, nullptr);
    return call(node.function, operand, node.span);
}

Expr *Checker::check_binary(const syntax::CallNode &node, Expr *left) {
    const syntax::Node &right = *node.arguments[1];
    const bool min_or_max = node.function == ScalarFunction::min || node.function == ScalarFunction::max;
    if (min_or_max && right.kind == Kind::symbol && !as<syntax::SymbolNode>(right).is_call) {
        const auto &symbol = as<syntax::SymbolNode>(right);
        switch (second_of_min_max(node, left, symbol)) {
            case Second::dimension:
                return expand_min_max(node, left, symbol.text);
            case Second::unknown:
                return nullptr;
            case Second::value:
                break;
        }
    }
    Expr *b = check(right);
    warn_of_strings(node, left, b);
    return call(node.function, left, b, {info(node.function).name, node.span, node.name_span});
}

// max(t,d) is a reduction if d is a dimension of t, else a function of two values. A symbol that is both is a value in
// the core dialect, which knows no such reduction, and a dimension in the Java dialect.
Checker::Second Checker::second_of_min_max(const syntax::CallNode &node, const Expr *left,
                                           const syntax::SymbolNode &symbol) {
    const bool known = is_visible(symbol.text);
    if (left == nullptr) {
        return known ? Second::value : Second::unknown;
    }
    if (left->type->find(symbol.text)) {
        if (known) {
            diagnostics_.warning(
                symbol.span,
                fmt::format("'{0}' is a symbol and a dimension of {1}; here it is the {2}", symbol.text,
                            left->type->to_string(), java_ ? "dimension" : "symbol"),
                fmt::format("write reduce(..., {}, {}) to reduce", info(node.function).name, symbol.text));
        }
        return known && !java_ ? Second::value : Second::dimension;
    }
    if (known || left->type->is_scalar() || scopes_.back().kind == ScopeKind::scalar_lambda) {
        return Second::value;
    }
    std::string hint = suggest_symbol(symbol);
    if (hint.empty()) {
        hint = fmt::format("its dimensions are {}", dimension_list(*left->type));
    }
    fail(symbol.span,
         fmt::format("'{}' is neither a dimension of {} nor a known symbol", symbol.text, left->type->to_string()),
         std::move(hint));
    return Second::unknown;
}

Expr *Checker::check_in(const syntax::InNode &node, Expr *subject) {
    std::vector<double> set;
    std::vector<Expr *> computed;  // the Java dialect allows any expression
    bool good = subject != nullptr;
    for (const syntax::Node *entry : node.entries) {
        std::optional<double> constant = constant_entry(*entry);
        if (!constant) {
            Expr *value = check_scalar(*entry, "an entry of 'in'");
            good = good && value != nullptr;
            constant = value == nullptr ? std::nullopt : constant_value(*value);
            if (value != nullptr && !constant) {
                computed.push_back(value);
            }
        }
        if (constant) {
            set.push_back(*constant);
        }
    }
    if (!good) {
        return nullptr;
    }
    // a in [1, b] is (a in [1]) || a == b
    Expr *result = builder_.in_set(subject, set, map_type_of(subject->type), node.span);
    const Site site{"in", node.span, node.span};
    for (Expr *value : computed) {
        result = call(ScalarFunction::logical_or, result, call(ScalarFunction::equal, subject, value, site), site);
    }
    return result;
}

Expr *Checker::check_if(const syntax::IfNode &node) {
    Expr *condition = check(*node.condition);
    Expr *when_true = check(*node.when_true);
    Expr *when_false = check(*node.when_false);
    const double probability = node.probability == nullptr ? 0.5 : node.probability->value;
    return conditional(condition, when_true, when_false, probability,
                       {"the branches of 'if'", node.span, node.when_false->span});
}

Expr *Checker::check_switch(const syntax::SwitchNode &node) {
    struct Case {
        Expr *condition;
        Expr *result;
        const syntax::SwitchCase *source;
    };
    Expr *subject = check(*node.subject);
    std::vector<Case> cases;
    cases.reserve(node.cases.size());
    for (const syntax::SwitchCase &source : node.cases) {
        if (full_) {
            return nullptr;
        }
        Expr *value = check(*source.value);
        const Site site{"switch", source.value->span, source.value->span};
        cases.push_back({call(ScalarFunction::equal, subject, value, site), check(*source.result), &source});
    }
    Expr *result = check(*node.otherwise);
    const Expr *model = cases.empty() ? nullptr : cases.front().result;
    bool good = model != nullptr;
    if (!java_ && good) {
        // All against the first, so that each odd one is reported where it stands.
        const auto compare = [&](const Expr *value, Span span) {
            if (value != nullptr && value->type != model->type) {
                good = false;
                const TypeProblem problem = std::get<TypeProblem>(conditional_type(*model->type, *value->type, false));
                fail(span,
                     fmt::format("the first case of 'switch' gives {}, this one {}: {}", model->type->to_string(),
                                 value->type->to_string(), problem.message),
                     problem.hint);
            }
        };
        for (const Case &one : cases) {
            compare(one.result, one.source->result->span);
        }
        compare(result, node.otherwise->span);
    }
    for (std::size_t i = cases.size(); good && i-- > 0;) {
        const Span place = cases[i].source->result->span;
        result =
            conditional(cases[i].condition, cases[i].result, result, 0.5, {"the cases of 'switch'", node.span, place});
    }
    return good ? result : nullptr;
}

Expr *Checker::check_user_call(const syntax::UserCallNode &node) {
    std::vector<Expr *> arguments;
    bool good = true;
    for (const syntax::Node *argument : node.arguments) {
        arguments.push_back(check(*argument));
        good = good && arguments.back() != nullptr;
    }
    const UserFunction *function = schema_.find_function(node.name.text);
    if (function == nullptr) {
        return fail(node.name.span, fmt::format("function '{}' is not declared", node.name.text),
                    "declare it with Schema::function");
    }
    if (arguments.size() != function->arity) {
        std::string signature(function->name);
        for (std::size_t i = 0; i < function->arity; ++i) {
            signature += i == 0 ? '(' : ',';
            signature += static_cast<char>('a' + i);
        }
        return fail(node.span,
                    fmt::format("'{}' takes {} argument{}, not {}", function->name, function->arity,
                                function->arity == 1 ? "" : "s", arguments.size()),
                    fmt::format("call it as {})", signature));
    }
    if (!good) {
        return nullptr;
    }
    const TensorType *type = builder_.scalar_type();
    if (arguments.size() == 1) {
        type = map_type_of(arguments.front()->type);
    } else if (arguments.size() == 2) {
        type = join_type_of(arguments[0], arguments[1], {function->name, node.span, node.name.span});
    } else {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!arguments[i]->type->is_scalar()) {
                fail(node.arguments[i]->span,
                     fmt::format("argument {} of '{}' is {}, but a function of {} arguments takes numbers only", i + 1,
                                 function->name, arguments[i]->type->to_string(), arguments.size()),
                     "functions of one or two arguments apply to tensors cell by cell");
                type = nullptr;
            }
        }
    }
    return type == nullptr ? nullptr : builder_.user_call(builder_.own(*function), arguments, type, node.span);
}

}  // namespace tenrex::sema
