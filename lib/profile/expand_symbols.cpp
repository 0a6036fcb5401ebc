// Names: parameters, arguments, functions, constants; and calls of functions.
#include <algorithm>

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"
#include "lib/syntax/tree.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::as;
using syntax::Kind;
using syntax::Node;

namespace {

std::string signature(const FunctionText &function) {
    std::string text = function.name.text + '(';
    for (const Word &parameter : function.parameters) {
        text += (&parameter == function.parameters.data() ? "" : ", ") + parameter.text;
    }
    return text + ')';
}

}  // namespace

Expander::Expander(const ProfileSet::Content &set, const WholeProfile &profile, InputTable &inputs, Place place,
                   Findings &findings)
    : set_(set), profile_(profile), inputs_(inputs), place_(place), findings_(findings), limits_(set.options.limits) {}

Expanded Expander::measured(const std::function<const Node *()> &make) {
    std::vector<std::uint32_t> outer_uses;
    std::swap(outer_uses, uses_);
    const std::uint32_t outer_level = level_;
    const std::uint32_t outer_deepest = deepest_;
    const std::uint64_t nodes_before = nodes_;
    level_ = 0;
    deepest_ = 0;
    Expanded result;
    result.node = make();
    result.depth = deepest_;
    result.size = nodes_ - nodes_before;
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    std::swap(result.uses, uses_);
    std::swap(outer_uses, uses_);
    level_ = outer_level;
    deepest_ = outer_deepest;
    return result;
}

Expanded Expander::expand(const ExpressionText &text) {
    if (text.ast == nullptr) {
        return {};
    }
    const Scope scope{.source = &text.ast->source(), .offset = text.span.begin};
    return measured([&] { return expand(text.ast->root(), scope); });
}

Expanded Expander::expand(std::string_view text, Span blame) {
    auto ast = syntax::parse(text, {Dialect::core, {}, limits_});
    if (!ast) {
        fail(blame, ast.error().issues().front().message);
        return {};
    }
    own_texts_.push_back(std::make_shared<const syntax::Ast>(*std::move(ast)));
    const syntax::Ast &own = *own_texts_.back();
    const Scope scope = scope_of(own.source(), blame, true);
    return measured([&] { return expand(own.root(), scope); });
}

Expanded Expander::expand(const FunctionText &function, Span blame) {
    const Scope scope{.source = &function.name.text, .fixed = blame, .only_inputs = true};
    return measured([&] { return call(function, std::vector<Binding>(), blame, scope); });
}

std::vector<sema::Definition> Expander::definitions(const Expanded &expression) const {
    std::vector<std::uint32_t> needed;
    std::unordered_set<std::uint32_t> known;
    std::vector<std::uint32_t> open = expression.uses;
    while (!open.empty()) {
        const std::uint32_t number = open.back();
        open.pop_back();
        if (known.insert(number).second) {
            needed.push_back(number);
            const auto &uses = definitions_[number].body.uses;
            open.insert(open.end(), uses.begin(), uses.end());
        }
    }
    std::sort(needed.begin(), needed.end());
    std::vector<sema::Definition> result;
    result.reserve(needed.size());
    for (const std::uint32_t number : needed) {
        const Definition &definition = definitions_[number];
        result.push_back({definition.name, definition.body.node, definition.source});
    }
    return result;
}

const Node *Expander::symbol_node(std::string_view name, Span span) {
    ++nodes_;
    const std::string_view text = arena_.copy(name);
    return arena_.make<syntax::SymbolNode>(Node{Kind::symbol, span}, text, text, std::span<const syntax::Name>(),
                                           std::string_view(), false);
}

const Node *Expander::use(std::optional<std::uint32_t> definition, Span span) {
    if (!definition) {
        return nullptr;
    }
    uses_.push_back(*definition);
    deepest_ = std::max(deepest_, level_ + definitions_[*definition].body.depth + 1);
    return symbol_node(definitions_[*definition].name, span);
}

// The key says what the body is: it consists of names of other definitions, which are short, not of their bodies.
std::optional<std::uint32_t> Expander::define(std::string key, std::string_view label, Expanded body) {
    const auto [known, is_new] = by_key_.try_emplace(std::move(key));
    if (is_new && body.node != nullptr) {
        known->second = static_cast<std::uint32_t>(definitions_.size());
        // No symbol that is written has a space in it.
        const std::string name = fmt::format("{} #{}", label, definitions_.size());
        definitions_.push_back({arena_.copy(std::string_view(name)), std::move(body)});
    }
    return known->second;
}

std::optional<std::size_t> Expander::find_local(std::string_view name, const Scope &scope) const {
    for (std::size_t i = locals_.size(); i-- > scope.first_local;) {
        if (locals_[i] == name) {
            return i;
        }
    }
    return std::nullopt;
}

const Expander::Binding *Expander::find_binding(std::string_view name, const Scope &scope) {
    for (const Binding &binding : scope.bindings) {
        if (binding.name == name) {
            return &binding;
        }
    }
    return nullptr;
}

const Node *Expander::symbol(const syntax::SymbolNode &node, const Scope &scope) {
    const Span span = place(node.span, scope);
    if (is_plain_name(node)) {
        bool known = false;
        const Node *value = known_name(node.text, span, scope, known);
        if (known) {
            return value;
        }
    }
    FeatureCall call;
    if (!feature_of(node.text, span, scope, call)) {
        return nullptr;
    }
    return feature(call, scope);
}

const Node *Expander::known_name(std::string_view name, Span span, const Scope &scope, bool &known) {
    known = true;
    if (const auto local = find_local(name, scope)) {
        used_locals_.push_back(*local);
        return symbol_node(name, span);
    }
    if (const Binding *binding = find_binding(name, scope)) {
        return substitute(*binding, span, scope);
    }
    if (!scope.only_inputs) {
        const FunctionText *function = profile_.functions.find(name);
        if (function != nullptr && (function->parameters.empty() || !scope.maybe)) {
            return call(*function, std::vector<Binding>{}, span, scope);
        }
        if (const ConstantText *text = inputs_.find_constant(name)) {
            return constant(*text, span);
        }
    }
    known = false;
    return nullptr;
}

const Node *Expander::substitute(const Binding &binding, Span span, const Scope &scope) {
    if (binding.value.node == nullptr) {
        if (scope.maybe) {
            ++unknown_names_;
            return symbol_node(binding.text, span);
        }
        return fail_unknown(
            span,
            fmt::format("the argument '{}' is a value here, but it is called with '{}', which is only a name",
                        binding.name, clipped(binding.text)),
            wrapped_hint(binding.text));
    }
    for (const std::size_t local : binding.locals) {
        for (std::size_t i = scope.text_locals; i < locals_.size(); ++i) {
            if (locals_[i] == locals_[local]) {
                return fail(span,
                            fmt::format("the argument '{}' speaks of the '{}' around the call, but here '{}' is "
                                        "something else",
                                        binding.name, locals_[i], locals_[i]),
                            "rename the dimension or parameter in one of the two");
            }
        }
    }
    used_locals_.insert(used_locals_.end(), binding.locals.begin(), binding.locals.end());
    if (binding.is_leaf || scope.in_lambda || !binding.definition) {
        uses_.insert(uses_.end(), binding.value.uses.begin(), binding.value.uses.end());
        deepest_ = std::max(deepest_, level_ + binding.value.depth);
        nodes_ += binding.is_leaf ? 1 : binding.value.size;
        return binding.value.node;
    }
    return use(binding.definition, span);
}

const FunctionText *Expander::shadowing(std::string_view name, std::size_t arity, const Scope &scope) const {
    if (scope.only_inputs) {
        return nullptr;
    }
    const FunctionText *function = profile_.functions.find(name);
    return function != nullptr && function->parameters.size() == arity ? function : nullptr;
}

const Node *Expander::user_call(const syntax::UserCallNode &node, const Scope &scope) {
    const Span span = place(node.span, scope);
    const FunctionText *function = profile_.functions.find(node.name.text);
    if (function != nullptr && function->parameters.size() == node.arguments.size()) {
        return call(*function, node.arguments, span, scope);
    }
    if (std::find(std::begin(normalizer_names), std::end(normalizer_names), node.name.text) !=
        std::end(normalizer_names)) {
        return normalizer(node, scope);
    }
    // A feature may have the name of a function with other arguments, or of one in another profile.
    FeatureCall call;
    const std::string_view written =
        std::string_view(*scope.source).substr(node.span.begin, node.span.end - node.span.begin);
    if (!feature_of(sema::normal_name(written), span, scope, call)) {
        return nullptr;
    }
    if (function != nullptr && !inputs_.host_feature(call.text)) {
        return fail(
            span,
            fmt::format("function '{}' takes {} argument{}, not {}", function->name.text, function->parameters.size(),
                        function->parameters.size() == 1 ? "" : "s", node.arguments.size()),
            fmt::format("call it as {}", signature(*function)));
    }
    return feature(call, scope);
}

const Node *Expander::call(const FunctionText &function, std::span<const Node *const> arguments, Span span,
                           const Scope &scope) {
    std::vector<Binding> bindings(arguments.size());
    bool good = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        bindings[i].name = function.parameters[i].text;
        good = bind(*arguments[i], scope, bindings[i]) && good;
    }
    return good ? call(function, std::move(bindings), span, scope) : nullptr;
}

bool Expander::bind(const Node &argument, const Scope &scope, Binding &binding) {
    const std::string_view name = binding.name;
    const Span span = place(argument.span, scope);
    const std::size_t outer_locals = used_locals_.size();
    if (is_plain_name(argument)) {
        const std::string_view text = as<syntax::SymbolNode>(argument).text;
        const bool local = find_local(text, scope).has_value();
        if (const Binding *other = local ? nullptr : find_binding(text, scope)) {
            binding = *other;
            binding.name = name;
            return true;
        }
        Scope probing = scope;
        probing.maybe = true;
        bool known = false;
        binding.text = text;
        binding.value = measured([&] { return known_name(text, span, probing, known); });
        if (!known && is_bare_feature(text)) {
            FeatureCall feature_call;
            known = true;
            binding.value = measured(
                [&] { return feature_of(text, span, scope, feature_call) ? feature(feature_call, scope) : nullptr; });
        }
        if (known && binding.value.node == nullptr) {
            return false;
        }
    } else {
        binding.value = measured([&] { return expand(argument, scope); });
        if (binding.value.node == nullptr) {
            return false;
        }
        if (argument.kind == Kind::symbol) {
            FeatureCall call;
            feature_of(as<syntax::SymbolNode>(argument).text, span, scope, call);
            binding.text = call.text;
        } else if (argument.kind == Kind::number || argument.kind == Kind::string) {
            binding.text = syntax::to_string(argument);
        }
    }
    if (const Node *value = binding.value.node) {
        binding.is_leaf = value->kind == Kind::symbol || value->kind == Kind::number || value->kind == Kind::string;
    }
    for (std::size_t i = outer_locals; i < used_locals_.size(); ++i) {
        if (used_locals_[i] < locals_.size()) {  // not bound within the argument itself
            binding.locals.push_back(used_locals_[i]);
        }
    }
    used_locals_.resize(outer_locals);
    const bool is_computed = binding.value.node != nullptr && !binding.is_leaf;
    if (is_computed && !scope.in_lambda && binding.locals.empty()) {
        // Once for all places of the parameter, and printed once, however long it is.
        binding.definition = define('=' + syntax::to_string(*binding.value.node), "argument", binding.value);
    }
    return true;
}

const Node *Expander::recursion(const FunctionText &function, Span span) {
    std::string cycle;
    for (auto step = std::find(active_.begin(), active_.end(), &function); step != active_.end(); ++step) {
        cycle += (*step)->name.text + " -> ";
    }
    return fail(span, fmt::format("a function calls itself: {}{}", cycle, function.name.text),
                "functions are expanded when a profile is compiled, so recursion would not end");
}

const Node *Expander::call(const FunctionText &function, std::vector<Binding> bindings, Span span, const Scope &scope) {
    if (function.parameters.size() != bindings.size()) {
        return fail(span, fmt::format("function '{}' needs arguments", function.name.text),
                    fmt::format("call it as {}", signature(function)));
    }
    if (std::find(active_.begin(), active_.end(), &function) != active_.end()) {
        return recursion(function, span);
    }
    called_.insert(&function);
    if (function.expression.ast == nullptr || full_) {
        return nullptr;
    }
    const auto has_locals = [](const Binding &binding) { return !binding.locals.empty(); };
    const bool splice = scope.in_lambda || std::any_of(bindings.begin(), bindings.end(), has_locals);
    std::string key;
    if (!splice) {
        key = function.name.text + '(';
        for (const Binding &binding : bindings) {
            const Node *value = binding.value.node;
            key += binding.text + '=';
            if (binding.definition) {
                key += definitions_[*binding.definition].name;
            } else if (value != nullptr) {
                key += syntax::to_string(*value);
            }
            key += ',';
        }
        if (const auto known = by_key_.find(key); known != by_key_.end()) {
            return use(known->second, span);
        }
    }
    const Scope body{.source = &function.expression.ast->source(),
                     .offset = function.expression.span.begin,
                     .bindings = bindings,
                     .function = &function,
                     .text_locals = locals_.size(),
                     .first_local = locals_.size(),
                     .in_lambda = scope.in_lambda};
    const bool outermost = !expanded_.insert(&function).second && !again_;
    if (outermost) {
        again_ = nodes_;
    }
    active_.push_back(&function);
    const Node *result = nullptr;
    if (splice) {
        result = body_of(function, body, span);
        level_ -= levels_of_a_call;
    } else {
        Expanded expanded = measured([&] { return body_of(function, body, span); });
        result = use(define(std::move(key), "function " + function.name.text, std::move(expanded)), span);
    }
    active_.pop_back();
    if (outermost) {
        repeated_ += nodes_ - *again_;
        again_.reset();
    }
    return result;
}

// The caller gives the levels back.
const Node *Expander::body_of(const FunctionText &function, const Scope &scope, Span span) {
    const Node *node = enter(span, levels_of_a_call) ? expand(function.expression.ast->root(), scope) : nullptr;
    stack_ -= levels_of_a_call;
    return node;
}

}  // namespace tenrex::profile
