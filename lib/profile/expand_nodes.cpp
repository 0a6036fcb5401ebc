// The walk over a tree: a copy of it with every symbol resolved and every span in Sources.

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/support/format.h"
#include "lib/syntax/tree.h"

namespace tenrex::profile {

using syntax::as;
using syntax::Kind;
using syntax::Node;

namespace {

// Such as a date.
bool is_of_digits(std::string_view label) noexcept {
    return label.find_first_not_of("0123456789.-") == std::string_view::npos;
}

}  // namespace

Expander::Scope Expander::scope_of(const std::string &text, Span blame, bool only_inputs) const {
    return {.source = &text,
            .fixed = blame,
            .only_inputs = only_inputs,
            .text_locals = locals_.size(),
            .first_local = locals_.size()};
}

Span Expander::place(Span span, const Scope &scope) const noexcept {
    return scope.fixed ? *scope.fixed : Span{span.begin + scope.offset, span.end + scope.offset};
}

std::span<const syntax::Name> Expander::place(std::span<const syntax::Name> names, const Scope &scope) {
    const std::span<syntax::Name> placed = arena_.copy(names);
    for (syntax::Name &name : placed) {
        name.span = place(name.span, scope);
    }
    return placed;
}

const syntax::TypeSpec *Expander::place(const syntax::TypeSpec *type, const Scope &scope) {
    if (type == nullptr) {
        return nullptr;
    }
    auto *placed = arena_.make<syntax::TypeSpec>(*type);
    placed->span = place(type->span, scope);
    const std::span<syntax::DimensionSpec> dimensions = arena_.copy(type->dimensions);
    for (syntax::DimensionSpec &dimension : dimensions) {
        dimension.name.span = place(dimension.name.span, scope);
    }
    placed->dimensions = dimensions;
    return placed;
}

syntax::Failed Expander::fail(Span span, std::string message, std::string hint) {
    findings_.error(span, std::move(message), std::move(hint));
    full_ = full_ || findings_.full();
    return {};
}

syntax::Failed Expander::fail_unknown(Span span, std::string message, std::string hint) {
    findings_.unknown(span, std::move(message), hint.empty() ? std::string(unknown_name_hint) : std::move(hint));
    full_ = full_ || findings_.full();
    return {};
}

bool Expander::enter(Span span, std::uint32_t levels) {
    level_ += levels;
    stack_ += levels;
    deepest_ = std::max(deepest_, level_);
    if (!full_ && (stack_ > limits_.nesting || deepest_ > limits_.nesting)) {
        fail(span, fmt::format("functions and expressions are nested more than {} levels deep", limits_.nesting),
             "the limit is called nesting");
        full_ = true;
    }
    if (!full_ && nodes_ > limits_.nodes) {
        fail(span, fmt::format("the expressions of the profile have more than {} parts", limits_.nodes),
             "the limit is called nodes");
        full_ = true;
    }
    // A few lines of functions that call each other with ever other arguments may become any number of nodes.
    const std::uint64_t most_repeated = limits_.nodes / 16;
    if (!full_ && again_ && repeated_ + (nodes_ - *again_) > most_repeated) {
        fail(span,
             fmt::format("functions are called with so many different arguments that they become more than {} parts",
                         most_repeated),
             "the limit is a sixteenth of the one called nodes");
        full_ = true;
    }
    return !full_;
}

const Node *Expander::expand(const Node &node, const Scope &scope) {
    if (!enter(place(node.span, scope), 1)) {
        --level_;
        --stack_;
        return nullptr;
    }
    std::vector<const Node *> spine;
    const Node *first = &node;
    for (const Node *left = left_operand(*first); left != nullptr; left = left_operand(*first)) {
        spine.push_back(first);
        first = left;
    }
    const Node *value = expand_one(*first, scope);
    while (!spine.empty()) {
        value = full_ ? nullptr : expand_rest(*spine.back(), value, scope);
        spine.pop_back();
    }
    --level_;
    --stack_;
    return value;
}

bool Expander::expand_list(std::span<const Node *const> &nodes, const Scope &scope) {
    const std::span<const Node *> expanded = arena_.copy(std::span<const Node *const>(nodes));
    bool good = true;
    for (const Node *&node : expanded) {
        node = expand(*node, scope);
        good = good && node != nullptr;
    }
    nodes = expanded;
    return good;
}

const Node *Expander::expand_one(const Node &node, const Scope &scope) {
    ++nodes_;
    const Span span = place(node.span, scope);
    switch (node.kind) {
        case Kind::number: {
            auto *copy = arena_.make<syntax::NumberNode>(as<syntax::NumberNode>(node));
            copy->span = span;
            return copy;
        }
        case Kind::string: {
            auto *copy = arena_.make<syntax::StringNode>(as<syntax::StringNode>(node));
            copy->span = span;
            return copy;
        }
        case Kind::symbol:
            return symbol(as<syntax::SymbolNode>(node), scope);
        case Kind::user_call:
            return user_call(as<syntax::UserCallNode>(node), scope);
        case Kind::call: {
            const auto &call_node = as<syntax::CallNode>(node);
            const ScalarFunctionInfo &facts = info(call_node.function);
            const FunctionText *own =
                facts.is_operator ? nullptr : shadowing(facts.name, call_node.arguments.size(), scope);
            if (own != nullptr) {
                return call(*own, call_node.arguments, span, scope);
            }
            auto *copy = arena_.make<syntax::CallNode>(call_node);
            copy->span = span;
            copy->name_span = place(copy->name_span, scope);
            const bool extremum = copy->function == ScalarFunction::min || copy->function == ScalarFunction::max;
            if (!extremum) {
                return expand_list(copy->arguments, scope) ? copy : nullptr;
            }
            // The second argument may be a dimension of the first: of plain names the checker knows which.
            Scope second = scope;
            second.maybe = scope.maybe || is_plain_name(*call_node.arguments[1]);
            const Node *a = expand(*call_node.arguments[0], scope);
            const Node *b = expand(*call_node.arguments[1], second);
            const Node *both[] = {a, b};
            copy->arguments = arena_.copy(std::span<const Node *const>(both));
            return a != nullptr && b != nullptr ? copy : nullptr;
        }
        case Kind::conditional: {
            auto *copy = arena_.make<syntax::IfNode>(as<syntax::IfNode>(node));
            copy->span = span;
            copy->condition = expand(*copy->condition, scope);
            copy->when_true = expand(*copy->when_true, scope);
            copy->when_false = expand(*copy->when_false, scope);
            return copy->condition && copy->when_true && copy->when_false ? copy : nullptr;
        }
        case Kind::switch_case: {
            auto *copy = arena_.make<syntax::SwitchNode>(as<syntax::SwitchNode>(node));
            copy->span = span;
            copy->subject = expand(*copy->subject, scope);
            bool good = copy->subject != nullptr;
            const std::span<syntax::SwitchCase> cases = arena_.copy(copy->cases);
            for (syntax::SwitchCase &entry : cases) {
                entry.value = expand(*entry.value, scope);
                entry.result = expand(*entry.result, scope);
                good = good && entry.value != nullptr && entry.result != nullptr;
            }
            copy->cases = cases;
            copy->otherwise = expand(*copy->otherwise, scope);
            return good && copy->otherwise != nullptr ? copy : nullptr;
        }
        case Kind::tensor_call:
            return expand_tensor_call(as<syntax::TensorCallNode>(node), scope);
        case Kind::generator:
            return expand_generator(as<syntax::GeneratorNode>(node), scope);
        case Kind::literal:
            return expand_literal(as<syntax::LiteralNode>(node), scope);
        case Kind::in_set:
        case Kind::peek:
            break;  // have a left operand
    }
    return nullptr;
}

const Node *Expander::expand_rest(const Node &node, const Node *left, const Scope &scope) {
    ++nodes_;
    const Span span = place(node.span, scope);
    if (node.kind == Kind::call) {
        auto *copy = arena_.make<syntax::CallNode>(as<syntax::CallNode>(node));
        copy->span = span;
        copy->name_span = place(copy->name_span, scope);
        const Node *right = expand(*copy->arguments[1], scope);
        const Node *both[] = {left, right};
        copy->arguments = arena_.copy(std::span<const Node *const>(both));
        return left != nullptr && right != nullptr ? copy : nullptr;
    }
    if (node.kind == Kind::in_set) {
        auto *copy = arena_.make<syntax::InNode>(as<syntax::InNode>(node));
        copy->span = span;
        copy->subject = left;
        return expand_list(copy->entries, scope) && left != nullptr ? copy : nullptr;
    }
    return expand_peek(as<syntax::PeekNode>(node), left, scope);
}

const Node *Expander::expand_tensor_call(const syntax::TensorCallNode &node, const Scope &scope) {
    const Span span = place(node.span, scope);
    const bool plain = node.lambda == nullptr && node.type == nullptr && node.new_names.empty();
    const std::size_t arity = node.arguments.size() + node.names.size();
    if (const FunctionText *own = plain ? shadowing(info(node.function).name, arity, scope) : nullptr) {
        // What the built-in function takes for dimensions are arguments like any other.
        std::vector<const Node *> arguments(node.arguments.begin(), node.arguments.end());
        for (const syntax::Name &name : node.names) {
            arguments.push_back(arena_.make<syntax::SymbolNode>(Node{Kind::symbol, name.span}, name.text, name.text,
                                                                std::span<const syntax::Name>(), std::string_view(),
                                                                false));
        }
        return call(*own, arguments, span, scope);
    }
    auto *copy = arena_.make<syntax::TensorCallNode>(node);
    copy->span = span;
    copy->name_span = place(node.name_span, scope);
    bool good = expand_list(copy->arguments, scope);
    copy->names = place(node.names, scope);
    copy->new_names = place(node.new_names, scope);
    copy->type = place(node.type, scope);
    if (node.lambda != nullptr) {
        copy->lambda = expand_lambda(*node.lambda, scope);
        good = good && copy->lambda != nullptr;
    }
    return good ? copy : nullptr;
}

const syntax::Lambda *Expander::expand_lambda(const syntax::Lambda &lambda, const Scope &scope) {
    Scope inner = scope;
    inner.first_local = locals_.size();
    inner.in_lambda = true;
    for (const syntax::Name &name : lambda.parameters) {
        locals_.push_back(name.text);
    }
    auto *copy = arena_.make<syntax::Lambda>(lambda);
    copy->span = place(lambda.span, scope);
    copy->parameters = place(lambda.parameters, scope);
    copy->body = expand(*lambda.body, inner);
    locals_.resize(inner.first_local);
    return copy->body == nullptr ? nullptr : copy;
}

const Node *Expander::expand_generator(const syntax::GeneratorNode &node, const Scope &scope) {
    const std::size_t outer = locals_.size();
    for (const syntax::DimensionSpec &dimension : node.type->dimensions) {
        locals_.push_back(dimension.name.text);
    }
    auto *copy = arena_.make<syntax::GeneratorNode>(node);
    copy->span = place(node.span, scope);
    copy->type = place(node.type, scope);
    copy->body = expand(*node.body, scope);
    locals_.resize(outer);
    return copy->body == nullptr ? nullptr : copy;
}

const Node *Expander::expand_literal(const syntax::LiteralNode &node, const Scope &scope) {
    auto *copy = arena_.make<syntax::LiteralNode>(node);
    copy->span = place(node.span, scope);
    copy->type = place(node.type, scope);
    const std::span<syntax::LiteralCell> cells = arena_.copy(node.cells);
    bool good = true;
    for (syntax::LiteralCell &cell : cells) {
        cell.span = place(cell.span, scope);
        const std::span<syntax::AddressPart> address = arena_.copy(cell.address);
        for (syntax::AddressPart &part : address) {
            part.dimension.span = place(part.dimension.span, scope);
            part.label_span = place(part.label_span, scope);
        }
        cell.address = address;
        cell.value = expand(*cell.value, scope);
        good = good && cell.value != nullptr;
    }
    copy->cells = cells;
    good = (node.verbose || expand_element(copy->body, scope)) && good;
    return good ? copy : nullptr;
}

// As deep as the type has dimensions.
bool Expander::expand_element(syntax::LiteralElement &element, const Scope &scope) {
    ++nodes_;
    element.span = place(element.span, scope);
    bool good = true;
    if (element.value != nullptr) {
        element.value = expand(*element.value, scope);
        good = element.value != nullptr;
    }
    const std::span<syntax::LiteralElement> children = arena_.copy(element.children);
    for (syntax::LiteralElement &child : children) {
        good = expand_element(child, scope) && good;
    }
    element.children = children;
    return good;
}

const Node *Expander::expand_peek(const syntax::PeekNode &node, const Node *subject, const Scope &scope) {
    auto *copy = arena_.make<syntax::PeekNode>(node);
    copy->span = place(node.span, scope);
    copy->subject = subject;
    const std::span<syntax::PeekEntry> entries = arena_.copy(node.entries);
    bool good = subject != nullptr;
    for (syntax::PeekEntry &entry : entries) {
        entry.span = place(entry.span, scope);
        entry.dimension.span = place(entry.dimension.span, scope);
        if (entry.expression != nullptr) {
            // What may also be a label need not make sense as an expression.
            Scope label = scope;
            label.maybe = scope.maybe || entry.has_label;
            const std::size_t unknown = unknown_names_;
            entry.expression = expand(*entry.expression, label);
            // What is more than a name is computed, as engines do, if all names in it are known.
            if (entry.expression != nullptr && unknown_names_ == unknown && !is_of_digits(entry.label)) {
                entry.has_label = false;
                entry.label = {};
            }
            good = good && (entry.expression != nullptr || entry.has_label);
        }
    }
    copy->entries = entries;
    return good ? copy : nullptr;
}

}  // namespace tenrex::profile
