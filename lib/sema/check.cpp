#include "lib/sema/check.h"

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::as;
using syntax::Kind;
using syntax::Node;

namespace {

// The operand through which chains grow; null if the node has none.
const Node *first_operand(const Node &node) noexcept {
    switch (node.kind) {
        case Kind::call: {
            const auto &call = as<syntax::CallNode>(node);
            return call.arguments.size() == 2 ? call.arguments.front() : nullptr;
        }
        case Kind::in_set:
            return as<syntax::InNode>(node).subject;
        case Kind::peek:
            return as<syntax::PeekNode>(node).subject;
        default:
            return nullptr;
    }
}

}  // namespace

Checker::Checker(const syntax::Ast &ast, const Schema &schema, const CheckOptions &options)
    : ast_(ast),
      schema_(schema),
      options_(options),
      java_(ast.dialect() == Dialect::java),
      diagnostics_(ast.source(), options.limits) {
    scopes_.push_back({ScopeKind::expression, {}, 0});
}

Result<TypedExpression> Checker::run() {
    for (const Definition &definition : options_.definitions) {
        if (definition.source == nullptr) {
            definitions_.emplace(definition.name, check(*definition.body));
        } else if (Status status = check_foreign(definition); !status) {
            return status.error();
        }
    }
    Expr *root = check(ast_.root());
    full(ast_.root().span);
    if (diagnostics_.has_errors()) {
        return diagnostics_.take_error();
    }
    return builder_.finish(root, diagnostics_.take());
}

Status Checker::check_foreign(const Definition &definition) {
    Diagnostics own(*definition.source, options_.limits);
    std::swap(diagnostics_, own);
    builder_.place_all(Span{});
    Expr *value = check(*definition.body);
    full(definition.body->span);
    builder_.place_all(std::nullopt);
    std::swap(diagnostics_, own);
    if (own.has_errors()) {
        return Error(own.take(), std::string(definition.name));
    }
    definitions_.emplace(definition.name, value);
    return {};
}

Expr *Checker::check(const Node &node) {
    if (full(node.span)) {
        return nullptr;
    }
    const std::size_t base = spine_.size();
    const Node *first = &node;
    for (const Node *left = first_operand(*first); left != nullptr; left = first_operand(*first)) {
        spine_.push_back(first);
        first = left;
    }
    Expr *value = check_one(*first);
    while (spine_.size() > base && !full_) {
        const Node *rest = spine_.back();
        spine_.pop_back();
        value = full(rest->span) ? nullptr : check_rest(*rest, value);
    }
    spine_.resize(base);
    return full_ ? nullptr : value;
}

Expr *Checker::check_one(const Node &node) {
    const bool scalar_only = scopes_.back().kind == ScopeKind::scalar_lambda;
    switch (node.kind) {
        case Kind::number:
            return number(as<syntax::NumberNode>(node).value, node.span);
        case Kind::string:
            return builder_.string(as<syntax::StringNode>(node).text, node.span);
        case Kind::symbol:
            return check_symbol(as<syntax::SymbolNode>(node));
        case Kind::call:
            return check_unary(as<syntax::CallNode>(node));
        case Kind::user_call:
            return check_user_call(as<syntax::UserCallNode>(node));
        case Kind::conditional:
            return check_if(as<syntax::IfNode>(node));
        case Kind::switch_case:
            return check_switch(as<syntax::SwitchNode>(node));
        case Kind::tensor_call: {
            const auto &call = as<syntax::TensorCallNode>(node);
            return scalar_only ? tensor_in_lambda(node, info(call.function).name) : check_tensor_call(call);
        }
        case Kind::generator:
            return scalar_only ? tensor_in_lambda(node, "tensor") : check_generator(as<syntax::GeneratorNode>(node));
        case Kind::literal:
            return scalar_only ? tensor_in_lambda(node, "tensor") : check_literal(as<syntax::LiteralNode>(node));
        case Kind::in_set:
        case Kind::peek:
            break;  // have a left operand
    }
    return nullptr;
}

Expr *Checker::check_rest(const Node &node, Expr *left) {
    if (node.kind == Kind::call) {
        return check_binary(as<syntax::CallNode>(node), left);
    }
    if (node.kind == Kind::in_set) {
        return check_in(as<syntax::InNode>(node), left);
    }
    return scopes_.back().kind == ScopeKind::scalar_lambda ? tensor_in_lambda(node, "{...}")
                                                           : check_peek(as<syntax::PeekNode>(node), left);
}

bool Checker::full(Span span) {
    if (!full_ && builder_.node_count() > options_.limits.nodes) {
        full_ = true;
        fail(span, fmt::format("the expression has more than {} operations", options_.limits.nodes),
             "Limits::nodes can be raised");
    }
    return full_;
}

std::nullptr_t Checker::fail(Span span, std::string message, std::string hint) {
    diagnostics_.error(span, std::move(message), std::move(hint));
    full_ = full_ || ++errors_ >= options_.limits.issues;
    return nullptr;
}

std::nullptr_t Checker::fail(const Site &site, const TypeProblem &problem,
                             std::initializer_list<const TensorType *> operands) {
    std::string types;
    for (const TensorType *type : operands) {
        types += (types.empty() ? " of " : " and ") + type->to_string();
    }
    return fail(site.blame, fmt::format("'{}'{}: {}", site.what, types, problem.message), problem.hint);
}

std::string_view Checker::text(Span span) const noexcept {
    return diagnostics_.source().substr(span.begin, span.end - span.begin);
}

Result<TypedExpression> check(const syntax::Ast &ast, const Schema &schema, const CheckOptions &options) {
    if (schema.error()) {
        return *schema.error();
    }
    return Checker(ast, schema, options).run();
}

}  // namespace tenrex::sema
