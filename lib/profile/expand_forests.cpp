// lightgbm("file") and xgboost("file"): forests whose features are functions, attributes, inputs of the query and
// features of the engine, by the names that the trainer knew.
#include <algorithm>

#include "lib/profile/expander.h"
#include "lib/profile/vocabulary.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

namespace {

// What a call gives unless it says .raw or .value.
bool gives_raw(std::string_view base) noexcept {
    return base == "xgboost";
}

bool is_quoted(std::string_view text) noexcept {
    return text.size() > 2 && text.front() == '"' && text.back() == '"';
}

}  // namespace

const Node *Expander::forest(const FeatureCall &feature) {
    const std::string usage = fmt::format("{}(\"file\"), with .raw or .value behind it", feature.base);
    if (!arguments(feature, 1, 1, usage)) {
        return nullptr;
    }
    if (!feature.output.empty() && feature.output != "raw" && feature.output != "value") {
        return fail(feature.span, fmt::format("'{}' has no output '{}'", feature.base, clipped(feature.output)), usage);
    }
    std::string file = feature.arguments.front();
    file = is_quoted(file) ? file.substr(1, file.size() - 2) : file;
    const auto [known, is_new] = forests_.try_emplace(file);
    DeclaredForest &declared = known->second;  // stays where it is while features declare others
    if (is_new) {
        declared = declare_forest(file, feature.span);
    } else if (declared.state == DeclaredForest::State::begun) {
        return fail(feature.span, fmt::format("a feature of {} depends on its value", clipped(file)));
    }
    if (declared.state != DeclaredForest::State::ready) {
        return nullptr;
    }
    for (const std::uint32_t definition : declared.definitions) {
        if (use(definition, feature.span) == nullptr) {
            return nullptr;
        }
    }
    const bool raw = feature.output.empty() ? gives_raw(feature.base) : feature.output == "raw";
    const std::string text = fmt::format("forest({}){}", declared.name, raw ? ".raw" : "");
    const syntax::Name argument[] = {{arena_.copy(std::string_view(declared.name)), feature.span}};
    ++nodes_;
    return arena_.make<syntax::SymbolNode>(
        Node{syntax::Kind::symbol, feature.span}, arena_.copy(std::string_view(text)), std::string_view("forest"),
        arena_.copy(std::span<const syntax::Name>(argument)), std::string_view(raw ? "raw" : ""), true);
}

Expander::DeclaredForest Expander::declare_forest(const std::string &file, Span span) {
    DeclaredForest declared;
    declared.state = DeclaredForest::State::refused;
    const Forest *const forest = inputs_.forest(file, span);
    if (forest == nullptr) {
        return declared;
    }
    bool good = true;
    std::vector<std::string> symbols;
    for (const std::string &name : forest->used_features()) {
        const auto definition =
            define(fmt::format("feature {} of {}", name, file), name,
                   measured([&] { return feature_of_model(name, file, "train the model with other names", span); }));
        if (!definition) {
            good = false;  // has been reported
            continue;
        }
        declared.definitions.push_back(*definition);
        symbols.emplace_back(definitions_[*definition].name);
    }
    if (good) {
        declared.name = inputs_.declare(file, *forest, std::move(symbols));
        declared.state = DeclaredForest::State::ready;
    }
    return declared;
}

const Node *Expander::feature_of_model(const std::string &name, std::string_view model, std::string_view hint,
                                       Span span) {
    const std::string normal = sema::normal_name(name);
    const Scope scope = scope_of(name, span, true);
    if (const FunctionText *function = profile_.functions.find(normal)) {
        return call(*function, std::vector<Binding>{}, span, scope);
    }
    sema::NameParts parts;
    if (!sema::split_name(normal, parts).message.empty()) {
        return fail(span,
                    fmt::format("{} has a feature '{}', which cannot be the name of one here", clipped(model),
                                clipped_name(name)),
                    std::string(hint));
    }
    std::string text = normal;
    if (!parts.is_call && !is_bare_feature(normal)) {
        const std::string attribute = fmt::format("attribute({})", normal);
        const std::string query = fmt::format("query({})", normal);
        const bool is_query = !inputs_.has_attribute(attribute) && profile_.inputs.find(query) != nullptr;
        if (!is_query && !inputs_.has_attribute(attribute) && !inputs_.takes_undeclared()) {
            return fail(span,
                        fmt::format("{} needs the feature '{}', which is no function, attribute or input of the query",
                                    clipped(model), clipped_name(name)),
                        fmt::format("define it: function {}() {{ expression: ... }}", clipped_name(name)));
        }
        text = is_query ? query : attribute;
    }
    FeatureCall feature;
    return feature_of(text, span, scope, feature) ? this->feature(feature, scope) : nullptr;
}

}  // namespace tenrex::profile
