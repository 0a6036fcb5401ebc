// Names: parameters of lambdas, dimensions of generators, inputs of the schema; and what to say if a name is none.
#include <tenrex/language.h>

#include <iterator>

#include "lib/sema/checker.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"
#include "lib/types/quoted_text.h"

namespace tenrex::sema {

namespace {

// Features that ranking engines offer and that an expression can not compute by itself.
struct KnownFeature {
    std::string_view name;
    std::string_view what;
    std::string_view hint;
};
constexpr std::string_view after_ranking =
    "it can only be used in the global phase, where the scores of all hits are known";
constexpr std::string_view model_output =
    "declare the model with OnnxModel::add_to, or with --model NAME=FILE.onnx, or its output as an input";
constexpr std::string_view tree_model =
    "declare it with Schema::forest, or with --model NAME=FILE, and call it as forest(NAME)";
constexpr KnownFeature known_features[] = {
    {"normalize_linear", "it normalizes over all hits", after_ranking},
    {"reciprocal_rank", "it ranks all hits", after_ranking},
    {"reciprocal_rank_fusion", "it ranks all hits", after_ranking},
    {"onnx", "it is the output of an ONNX model", model_output},
    {"onnxModel", "it is the output of an ONNX model", model_output},
    {"xgboost", "it is a tree model in a file", tree_model},
    {"lightgbm", "it is a tree model in a file", tree_model},
    {"forest", "it is a tree model of that name", "declare it with Schema::forest, or with --model NAME=FILE"},
    {"rankingExpression", "it is a function of a rank profile", "declare it in the schema as an input"},
};

const KnownFeature *find_known_feature(std::string_view name) noexcept {
    for (const KnownFeature &feature : known_features) {
        if (feature.name == name) {
            return &feature;
        }
    }
    return nullptr;
}

// How a function is called; empty if there is none of that name.
std::string usage(std::string_view name) {
    if (const auto function = tensor_function_from_name(name)) {
        return fmt::format("usage: {}", info(*function).signature);
    }
    if (const auto function = scalar_function_from_name(name)) {
        return fmt::format("usage: {}({})", name, info(*function).arity == 1 ? "a" : "a, b");
    }
    if (name == "if") {
        return "usage: if(condition, when_true, when_false)";
    }
    if (name == "switch") {
        return "usage: switch(value) {case a: result, default: result}";
    }
    return {};
}

// The function that is most like the name, or that begins with it.
std::string_view nearest_function(std::string_view name, const Schema &schema) {
    std::vector<std::string_view> names{"if", "switch"};
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        if (!function.is_operator) {
            names.push_back(function.name);
        }
    }
    for (const TensorFunctionInfo &function : tensor_function_table) {
        names.push_back(function.name);
    }
    for (const UserFunction &function : schema.functions()) {
        names.push_back(function.name);
    }
    const std::string_view near = nearest(name, names);
    constexpr std::size_t telling = 4;
    if (!near.empty() || name.size() < telling) {
        return near;
    }
    for (std::string_view longer : names) {
        if (longer.starts_with(name)) {
            return longer;
        }
    }
    return {};
}

// Features that stand for an input and add nothing to its name.
bool is_wrapper(std::string_view base) noexcept {
    return base == "query" || base == "attribute" || base == "constant";
}

std::string did_you_mean(std::string_view name) {
    return name.empty() ? std::string() : fmt::format("did you mean '{}'?", name);
}

}  // namespace

Expr *Checker::check_symbol(const syntax::SymbolNode &node) {
    if (!node.is_call) {
        if (const auto slot = find_parameter(node.text)) {
            const TensorType *type = parameters_[scopes_.back().first + *slot].type;
            return type == nullptr ? nullptr : builder_.parameter(*slot, type, node.span);
        }
    }
    if (scopes_.back().kind != ScopeKind::expression) {
        return unknown_in_lambda(node);
    }
    if (const auto definition = definitions_.find(node.text); definition != definitions_.end()) {
        return definition->second;
    }
    if (const auto input = find_input(node.text, node.span)) {
        return builder_.input(*input, builder_.input_type(*input), node.span);
    }
    bool is_forest = false;
    Expr *forest = check_forest(node, is_forest);
    return is_forest ? forest : unknown_symbol(node);
}

void Checker::push_parameter(std::string_view name, const TensorType *type) {
    parameter_index_[name].push_back(parameters_.size());
    parameters_.push_back({name, type});
}

void Checker::pop_parameters(std::size_t left) {
    for (; parameters_.size() > left; parameters_.pop_back()) {
        parameter_index_[parameters_.back().name].pop_back();
    }
}

std::optional<std::uint32_t> Checker::find_parameter(std::string_view name) const {
    const auto found = parameters_.empty() ? parameter_index_.end() : parameter_index_.find(name);
    const std::size_t first = scopes_.back().first;
    if (found == parameter_index_.end() || found->second.empty() || found->second.back() < first) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(found->second.back() - first);
}

std::optional<std::uint32_t> Checker::find_input(std::string_view name, Span span) {
    if (const auto known = inputs_.find(name); known != inputs_.end()) {
        return known->second;
    }
    const InputDeclaration *declaration = schema_.find_input(name);
    if (declaration == nullptr) {
        return std::nullopt;
    }
    // `$q` and `query(q)` are one input.
    const bool has_other_name = declaration->name != name;
    if (has_other_name) {
        const auto known = inputs_.find(declaration->name);
        if (known != inputs_.end()) {
            return inputs_.emplace(name, known->second).first->second;
        }
    }
    const Tensor *value = declaration->value ? builder_.own(*declaration->value) : nullptr;
    const std::uint32_t index = builder_.add_input(
        {declaration->name, declaration->type, declaration->stage, value, span, declaration->is_string});
    inputs_.emplace(declaration->name, index);
    if (has_other_name) {
        inputs_.emplace(name, index);
    }
    return index;
}

bool Checker::is_visible(std::string_view name) const {
    return find_parameter(name) || (scopes_.back().kind == ScopeKind::expression &&
                                    (definitions_.contains(name) || schema_.find_input(name) != nullptr));
}

std::nullptr_t Checker::unknown_symbol(const syntax::SymbolNode &node) {
    if (!unknown_.insert(node.text).second) {
        return nullptr;
    }
    if (node.is_call) {
        return unknown_call(node);
    }
    if (std::string hint = usage(node.text); !hint.empty()) {
        return fail(node.span, fmt::format("'{}' is a function and needs arguments", node.text), std::move(hint));
    }
    std::string hint = suggest_symbol(node);
    // Of params.boost what params is.
    if (const std::string_view instead = instead_of(node.base); !instead.empty()) {
        hint = instead;
    }
    if (hint.empty()) {
        hint = options_.unknown_name_hint;
    }
    return fail(node.span, fmt::format("unknown symbol '{}'", clipped_name(node.text)), std::move(hint));
}

std::nullptr_t Checker::unknown_call(const syntax::SymbolNode &node) {
    if (const KnownFeature *feature = find_known_feature(node.base)) {
        return fail(node.span, fmt::format("'{}' is not declared: {}", clipped_name(node.text), feature->what),
                    std::string(feature->hint));
    }
    if (is_visible(node.base)) {
        return fail(node.span, fmt::format("'{}' is not a function", clipped(node.base)),
                    fmt::format("{0}{{...}} or {0}[...] takes a cell of a tensor", clipped(node.base)));
    }
    std::string hint = suggest_symbol(node);
    if (hint.empty()) {
        hint = instead_of(node.base);
    }
    if (hint.empty()) {
        hint = did_you_mean(nearest_function(node.base, schema_));
    }
    if (hint.empty()) {
        hint = "declare it in the schema if it is a feature";
        std::size_t shown = 0;
        constexpr std::size_t most = 3;
        for (const InputDeclaration &input : schema_.inputs()) {
            if (input.name.size() > node.base.size() && input.name.starts_with(node.base) &&
                input.name[node.base.size()] == '(' && shown < most) {
                hint += (shown++ == 0 ? "; it has " : ", ") + input.name;
            }
        }
    }
    return fail(node.span, fmt::format("unknown function or feature '{}'", clipped_name(node.text)), std::move(hint));
}

std::nullptr_t Checker::unknown_in_lambda(const syntax::SymbolNode &node) {
    const Scope &scope = scopes_.back();
    std::string own;
    std::vector<std::string_view> candidates;
    for (std::size_t i = scope.first; i < parameters_.size(); ++i) {
        candidates.push_back(parameters_[i].name);
        fmt::format_to(std::back_inserter(own), "{}{}", own.empty() ? "" : ", ", parameters_[i].name);
    }
    // A name that means something outside is a wish to capture, anything else a slip.
    bool outside = schema_.find_input(node.text) != nullptr;
    for (std::size_t i = 0; i < scope.first && !outside; ++i) {
        outside = parameters_[i].name == node.text;
    }
    if (node.is_call && !outside) {
        const std::string_view instead = instead_of(node.base);
        const std::string_view near = nearest_function(node.base, schema_);
        return fail(node.span, fmt::format("unknown function '{}'", clipped(node.base)),
                    !instead.empty() ? std::string(instead)
                    : near.empty()
                        ? fmt::format("the lambda of {} sees only its own parameters: {}", scope.function, own)
                        : did_you_mean(near));
    }
    if (outside) {
        return fail(node.span,
                    fmt::format("'{}' is not visible here: a lambda sees only its own parameters ({})",
                                clipped_name(node.text), own),
                    scope.kind == ScopeKind::scalar_lambda
                        ? "use operators, or join with two parameters, to combine it with the tensor"
                        : "combine it with the tensor before or after");
    }
    const std::string_view near = nearest(node.text, candidates);
    return fail(
        node.span,
        fmt::format("unknown symbol '{}': a lambda sees only its own parameters ({})", clipped_name(node.text), own),
        did_you_mean(near));
}

std::string Checker::suggest_symbol(const syntax::SymbolNode &node) const {
    std::vector<std::string_view> candidates;
    if (!node.is_call) {
        for (std::size_t i = scopes_.back().first; i < parameters_.size(); ++i) {
            candidates.push_back(parameters_[i].name);
        }
    }
    NameParts own;
    split_name(node.text, own);
    for (const InputDeclaration &input : schema_.inputs()) {
        NameParts parts;
        split_name(input.name, parts);
        // `q` for query(q), query(q) for q, or one output for another
        const bool wrapped = !node.is_call && parts.is_call && parts.arguments == node.text;
        const bool bare = !parts.is_call && is_wrapper(node.base) && node.arguments.size() == 1 &&
                          node.output.empty() && node.arguments.front().text == input.name;
        const bool output = node.is_call && parts.is_call && parts.base == own.base && parts.arguments == own.arguments;
        if (wrapped || bare || output) {
            return did_you_mean(input.name);
        }
        // long arguments that are alike do not make a feature of a mistyped function
        const bool same_kind = parts.is_call == node.is_call && (!node.is_call || parts.base == own.base ||
                                                                 !nearest(own.base, {&parts.base, 1}).empty());
        if (same_kind) {
            candidates.push_back(input.name);
        }
    }
    return did_you_mean(nearest(node.text, candidates));
}

}  // namespace tenrex::sema
