// Features: those that the library computes become ordinary expressions over inputs, those of the engine become inputs.
#include <algorithm>
#include <charconv>

#include <tenrex/language.h>

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

namespace {

// Outputs of models in ONNX files.
constexpr std::string_view network_features[] = {"onnx", "onnxModel", "onnx_vespa"};

bool is_network(std::string_view base) {
    return std::find(std::begin(network_features), std::end(network_features), base) != std::end(network_features);
}

// The name of a model, which may stand in quotes.
std::string_view network_name(std::string_view argument) {
    const bool is_quoted = argument.size() > 2 && argument.front() == '"' && argument.back() == '"';
    return is_quoted ? argument.substr(1, argument.size() - 2) : argument;
}

constexpr std::string_view bare_features[] = {"firstPhase", "now", "random", "secondPhase"};

// Splits at commas that are not within parentheses or quotes.
std::vector<std::string_view> split_arguments(std::string_view text) {
    std::vector<std::string_view> arguments;
    std::size_t depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            i = std::min(closing_quote(text, i), text.size() - 1);
        }
        depth += text[i] == '(';
        depth -= text[i] == ')' && depth > 0;
        if (text[i] == ',' && depth == 0) {
            arguments.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    if (!text.empty()) {
        arguments.push_back(text.substr(begin));
    }
    return arguments;
}

}  // namespace

// An argument of a feature with the names of function arguments in it replaced.
std::string Expander::substituted(std::string_view argument, Span span, const Scope &scope, bool &good) {
    std::string result;
    for (std::size_t i = 0; i < argument.size();) {
        std::size_t end = i + 1;
        if (argument[i] == '"') {
            end = std::min(closing_quote(argument, i), argument.size() - 1) + 1;
        } else if (is_identifier_char(argument[i])) {
            while (end < argument.size() && is_identifier_char(argument[end])) {
                ++end;
            }
        }
        const std::string_view token = argument.substr(i, end - i);
        const bool called = end < argument.size() && argument[end] == '(';
        const Binding *binding = called ? nullptr : find_binding(token, scope);
        if (binding != nullptr && binding->text.empty()) {
            good = fail(span,
                        fmt::format("the argument '{}' stands for a name here, but it is called with an "
                                    "expression",
                                    binding->name),
                        "give the name of an attribute, input or field");
        }
        result += binding != nullptr ? std::string_view(binding->text) : token;
        i = end;
    }
    return result;
}

bool Expander::feature_of(std::string_view text, Span span, const Scope &scope, FeatureCall &feature) {
    sema::NameParts parts;
    sema::split_name(text, parts);
    feature.span = span;
    feature.base = parts.base;
    feature.output = parts.output;
    feature.is_call = parts.is_call;
    feature.text = parts.base;
    bool good = true;
    if (parts.is_call) {
        for (const std::string_view argument : split_arguments(parts.arguments)) {
            feature.arguments.push_back(substituted(argument, span, scope, good));
        }
        feature.text += '(';
        for (const std::string &argument : feature.arguments) {
            feature.text += (&argument == feature.arguments.data() ? "" : ",") + argument;
        }
        feature.text += ')';
    }
    if (!parts.output.empty()) {
        feature.text.append(1, '.').append(parts.output);
    }
    return good;
}

bool Expander::is_bare_feature(std::string_view name) const {
    return std::find(std::begin(bare_features), std::end(bare_features), name) != std::end(bare_features) ||
           inputs_.host_feature(name);
}

const Node *Expander::feature(const FeatureCall &feature, const Scope &scope) {
    const std::string_view base = feature.base;
    const FunctionText *function = scope.only_inputs ? nullptr : profile_.functions.find(base);
    if (function != nullptr && feature.is_call && feature.arguments.empty() && feature.output.empty()) {
        return call(*function, std::vector<Binding>{}, feature.span, scope);
    }
    if (feature.is_call && feature.arguments.empty() && is_bare_feature(base)) {
        FeatureCall bare = feature;  // now() is now
        bare.is_call = false;
        bare.text = feature.output.empty() ? feature.base : fmt::format("{}.{}", feature.base, feature.output);
        return this->feature(bare, scope);
    }
    if (feature.is_call) {
        if (base == "attribute") {
            return attribute(feature);
        }
        if (base == "query") {
            return query(feature);
        }
        if (base == "constant") {
            return constant(feature);
        }
        if (base == "rankingExpression") {
            return ranking_expression(feature, scope);
        }
        if (base == "tensorFromWeightedSet") {
            return tensor_from_weighted_set(feature);
        }
        if (base == "tensorFromLabels") {
            return tensor_from_labels(feature);
        }
        if (base == "tensorFromStructs") {
            return tensor_from_structs(feature);
        }
        if (base == "closeness" || base == "distance") {
            return nearness(feature);
        }
        if (base == "closest") {
            return closest(feature);
        }
        if (base == "age") {
            return age(feature);
        }
        if (base == "freshness") {
            return freshness(feature);
        }
        if (base == "value") {
            return value(feature);
        }
    }
    if (scope.only_inputs && inputs_.schema().find_input(feature.text) != nullptr) {
        return symbol_node(feature.text, feature.span);
    }
    if (base == "random" && (!feature.is_call || feature.arguments.size() == 1)) {
        return random(feature);
    }
    if (!feature.is_call && base == "now") {
        return now(feature);
    }
    if (!feature.is_call && (base == "firstPhase" || base == "secondPhase")) {
        return phase_score(feature);
    }
    if (feature.is_call && is_network(base) && feature.arguments.size() == 1 && inputs_.reads_networks() &&
        !scope.maybe && !scope.in_lambda) {
        if (const NetworkText *text = inputs_.find_network(network_name(feature.arguments.front()), feature.span)) {
            return network(feature, *text);
        }
    }
    if (const Node *given = of_engine(feature)) {
        return given;
    }
    if (feature.is_call && (base == "lightgbm" || base == "xgboost") && !scope.maybe && !scope.in_lambda) {
        return forest(feature);
    }
    return unknown(feature, scope);
}

const Node *Expander::unknown(const FeatureCall &feature, const Scope &scope) {
    // A lambda sees no features; the checker knows what to say about that.
    if (scope.maybe || scope.in_lambda) {
        ++unknown_names_;
        return symbol_node(feature.text, feature.span);
    }
    if (feature.is_call && is_network(feature.base)) {
        return fail(feature.span,
                    fmt::format("'{}' cannot be used: {}", clipped_name(feature.text),
                                inputs_.reads_networks() ? "there is no onnx-model of that name"
                                                         : "nobody reads ONNX models here"),
                    inputs_.reads_networks()
                        ? "declare it: onnx-model name { file: models/name.onnx }, or declare its output as a feature"
                        : "set ProfileOptions::models, or declare the output as a feature and give its value");
    }
    if (feature.is_call && (feature.base == "tensorflow" || feature.base == "vespa")) {
        return fail(feature.span,
                    fmt::format("'{}' cannot be used: models in this format are not read", clipped_name(feature.text)),
                    "convert it to ONNX and declare it: onnx-model name { file: models/name.onnx }");
    }
    std::vector<std::string> names;
    for (const FunctionText *function : profile_.functions.items()) {
        names.push_back(function->name.text);
    }
    for (const ConstantText *constant : profile_.constants.items()) {
        names.push_back(constant->name.text);
    }
    for (const std::string_view name : feature.is_call ? std::span<const std::string_view>(runtime_features)
                                                       : std::span<const std::string_view>(bare_features)) {
        names.emplace_back(name);
    }
    for (const std::string &name : inputs_.host_features()) {
        names.push_back(name);
    }
    if (!feature.is_call) {
        if (std::string hint = wrapped_hint(feature.text); !hint.empty()) {
            return fail_unknown(feature.span, fmt::format("unknown symbol '{}'", clipped_name(feature.text)),
                                std::move(hint));
        }
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    std::string_view near = nearest(feature.text, candidates);
    if (near.empty()) {
        near = nearest(feature.base, candidates);
    }
    std::string hint = near.empty() ? std::string() : fmt::format("did you mean '{}'?", near);
    if (!engine_feature(feature.text) && !instead_of(feature.base).empty()) {
        hint = instead_of(feature.base);
    }
    if (!feature.is_call) {
        return fail_unknown(
            feature.span, fmt::format("unknown symbol '{}'", clipped_name(feature.text)),
            hint.empty() && engine_feature(feature.text) ? std::string(unknown_feature_hint) : std::move(hint));
    }
    return fail_unknown(feature.span, fmt::format("there is no function or feature '{}'", clipped_name(feature.text)),
                        hint.empty() ? std::string(unknown_feature_hint) : std::move(hint));
}

std::string Expander::wrapped_hint(std::string_view name) const {
    for (const std::string &wrapped : {fmt::format("query({})", name), fmt::format("attribute({})", name)}) {
        if (profile_.inputs.find(wrapped) != nullptr || inputs_.has_attribute(wrapped)) {
            return fmt::format("did you mean '{}'?", wrapped);
        }
    }
    return {};
}

// Number of arguments; the usage is the hint.
bool Expander::arguments(const FeatureCall &feature, std::size_t least, std::size_t most, std::string_view usage) {
    if (feature.arguments.size() >= least && feature.arguments.size() <= most) {
        return true;
    }
    return fail(feature.span,
                fmt::format("'{}' has {} argument{}", clipped_name(feature.text), feature.arguments.size(),
                            feature.arguments.size() == 1 ? "" : "s"),
                fmt::format("usage: {}", usage));
}

bool Expander::outputs(const FeatureCall &feature, std::initializer_list<std::string_view> names) {
    if (feature.output.empty() || feature.output == "out" ||
        std::find(names.begin(), names.end(), feature.output) != names.end()) {
        return true;
    }
    std::string all;
    for (const std::string_view name : names) {
        all += (all.empty() ? "it has ." : ", .") + std::string(name);
    }
    return fail(feature.span, fmt::format("'{}' has no output '{}'", feature.base, feature.output), std::move(all));
}

const Node *Expander::query(const FeatureCall &feature) {
    if (!arguments(feature, 1, 1, "query(name)") || !outputs(feature, {})) {
        return nullptr;
    }
    const std::string name = fmt::format("query({})", feature.arguments.front());
    if (const InputText *found = profile_.inputs.find(name)) {
        inputs_.query(*found);
        return symbol_node(name, feature.span);
    }
    return inputs_.undeclared_query(name, std::nullopt, feature.span) ? symbol_node(name, feature.span) : nullptr;
}

const Node *Expander::constant(const ConstantText &constant, Span span) {
    const Tensor *value = inputs_.constant(constant);
    if (value == nullptr) {
        return nullptr;
    }
    if (value->type().is_scalar()) {
        ++nodes_;
        return arena_.make<syntax::NumberNode>(Node{syntax::Kind::number, span}, value->as_double());
    }
    const std::string name = fmt::format("constant({})", constant.name.text);
    inputs_.constant(name, *value);
    return symbol_node(name, span);
}

const Node *Expander::constant(const FeatureCall &feature) {
    if (!arguments(feature, 1, 1, "constant(name)") || !outputs(feature, {})) {
        return nullptr;
    }
    const std::string &name = feature.arguments.front();
    if (const ConstantText *text = inputs_.find_constant(name)) {
        return constant(*text, feature.span);
    }
    std::vector<std::string_view> candidates;
    for (const ConstantText *one : profile_.constants.items()) {
        candidates.push_back(one->name.text);
    }
    const std::string_view near = nearest(name, candidates);
    return fail(feature.span, fmt::format("there is no constant '{}'", clipped_name(name)),
                near.empty() ? "declare it in constants { ... }" : fmt::format("did you mean 'constant({})'?", near));
}

// value(0.5): the number.
const Node *Expander::value(const FeatureCall &feature) {
    if (!arguments(feature, 1, 1, "value(number)") || !outputs(feature, {})) {
        return nullptr;
    }
    const std::string &text = feature.arguments.front();
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
        return fail(feature.span, fmt::format("'{}' is no number", clipped_name(text)), "usage: value(number)");
    }
    ++nodes_;
    return arena_.make<syntax::NumberNode>(Node{syntax::Kind::number, feature.span}, number);
}

const Node *Expander::now(const FeatureCall &feature) {
    if (!outputs(feature, {})) {
        return nullptr;
    }
    inputs_.query("now", {});
    return symbol_node("now", feature.span);
}

// Which number a document gets depends on the seed, its number and the feature's name: see random_number.
const Node *Expander::random(const FeatureCall &feature) {
    if (!outputs(feature, {"match"})) {
        return nullptr;
    }
    inputs_.document(feature.text, {}, ColumnSource::random, {});
    return symbol_node(feature.text, feature.span);
}

const Node *Expander::phase_score(const FeatureCall &feature) {
    const bool first = feature.base == "firstPhase";
    if (!outputs(feature, {})) {
        return nullptr;
    }
    const bool known =
        place_ == Place::features || place_ == Place::global_phase || (first && place_ == Place::second_phase);
    if (!known) {
        return fail(feature.span, fmt::format("'{}' is not known yet in {}", feature.base,
                                              place_ == Place::first_phase ? "the first phase" : "the second phase"));
    }
    if (!first && profile_.phases[second_phase].expression == nullptr) {
        return fail(feature.span, "'secondPhase' is used, but the profile has no second-phase");
    }
    inputs_.document(std::string(feature.base), {}, first ? ColumnSource::first_phase : ColumnSource::second_phase, {});
    return symbol_node(std::string(feature.base), feature.span);
}

}  // namespace tenrex::profile
