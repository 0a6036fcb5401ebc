// onnx(name).output: models in ONNX files, whose inputs are functions, attributes, inputs of the query and features.
#include <algorithm>

#include "lib/profile/expander.h"
#include "lib/sema/check.h"
#include "lib/sema/definitions.h"
#include "lib/support/format.h"
#include "lib/syntax/parser.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

using syntax::Node;

namespace {

// The name that expressions call an output of the model by.
std::string output_name(const NetworkText &text, const ModelDefinitions::Port &output) {
    const auto named = std::find_if(text.outputs.begin(), text.outputs.end(),
                                    [&](const NetworkPortText &port) { return port.name.text == output.name; });
    return named == text.outputs.end() ? output.symbol.substr(output.symbol.rfind('.') + 1) : named->value.text;
}

}  // namespace

const Node *Expander::network(const FeatureCall &feature, const NetworkText &text) {
    using State = DeclaredForest::State;
    const auto [known, is_new] = networks_.try_emplace(&text);
    DeclaredNetwork &declared = known->second;  // stays where it is while inputs declare others
    if (is_new) {
        declared.state = declare_network(declared, text, feature.span) ? State::ready : State::refused;
    } else if (declared.state == State::begun) {
        return fail(feature.span, fmt::format("an input of onnx-model {} depends on its value", text.name.text));
    }
    if (declared.state != State::ready) {
        return nullptr;
    }
    std::string all;
    for (const ModelDefinitions::Port &output : declared.model->outputs) {
        const std::string name = output_name(text, output);
        if (name == feature.output || feature.output.empty()) {
            return use(declared.definitions.at(output.symbol), feature.span);
        }
        all += (all.empty() ? "it has ." : ", .") + name;
    }
    for (const ModelDefinitions::Refused &refused : declared.model->refused) {
        if (output_name(text, {refused.name, refused.symbol, {}}) == feature.output) {
            return fail(feature.span,
                        fmt::format("the output '{}' of onnx-model {} cannot be had: {}", clipped(feature.output),
                                    text.name.text, refused.reason),
                        all);
        }
    }
    return fail(feature.span, fmt::format("onnx-model {} has no output '{}'", text.name.text, clipped(feature.output)),
                all);
}

bool Expander::declare_network(DeclaredNetwork &declared, const NetworkText &text, Span span) {
    std::unordered_map<std::string, Expanded> given;
    const auto give = [&](const std::string &name) -> const Expanded & {
        const auto [found, is_new] = given.try_emplace(name);
        if (is_new) {
            found->second = input_of_network(name, text, span);
        }
        return found->second;
    };
    const ModelDefinitions *model =
        inputs_.network(text, [&](std::string_view input) { return type_of(give(std::string(input)), span); });
    if (model == nullptr) {
        return false;
    }
    std::uint32_t depth = 1;
    const auto add = [&](const std::string &name, Expanded body, const std::string *source) {
        declared.definitions.emplace(name, static_cast<std::uint32_t>(definitions_.size()));
        definitions_.push_back({arena_.copy(std::string_view(name)), std::move(body), source});
    };
    for (const ModelDefinitions::Port &input : model->inputs) {
        Expanded body = give(input.name);
        if (body.node == nullptr) {
            return false;  // has been reported
        }
        depth = std::max(depth, body.depth + 1);
        add(input.symbol, std::move(body), nullptr);
    }
    for (const DefinitionDeclaration &definition : model->definitions) {
        auto ast = syntax::parse(definition.text, {Dialect::core, {}, limits_});
        if (!ast) {
            return fail(span, fmt::format("onnx-model {}: {}", text.name.text, ast.error().issues().front().message));
        }
        own_texts_.push_back(std::make_shared<const syntax::Ast>(*std::move(ast)));
        const syntax::Ast &own = *own_texts_.back();
        Expanded body;
        body.node = &own.root();
        body.depth = depth;
        for (const std::string &symbol : sema::needed_symbols(own, inputs_.schema())) {
            if (const auto used = declared.definitions.find(symbol); used != declared.definitions.end()) {
                body.uses.push_back(used->second);
            }
        }
        add(definition.name, std::move(body), &own.source());
    }
    declared.model = model;
    return true;
}

Expanded Expander::input_of_network(const std::string &name, const NetworkText &text, Span span) {
    const auto named = std::find_if(text.inputs.begin(), text.inputs.end(),
                                    [&](const NetworkPortText &port) { return port.name.text == name; });
    const std::string &source = named == text.inputs.end() ? name : named->value.text;
    const std::string hint = fmt::format("say what it is: input \"{}\": name_of_a_function", clipped(name));
    return measured([&] {
        return feature_of_model(source, fmt::format("onnx-model {}", text.name.text), hint,
                                named == text.inputs.end() ? span : named->value.span);
    });
}

std::optional<TensorType> Expander::type_of(const Expanded &expression, Span span) {
    if (expression.node == nullptr) {
        return std::nullopt;
    }
    const auto joined = std::make_shared<const std::string>(set_.sources.joined());
    const syntax::Ast ast(joined, Arena(), expression.node, {}, set_.options.dialect);
    const std::vector<sema::Definition> needed = definitions(expression);
    auto checked = sema::check(ast, inputs_.schema(), {set_.options.seed, limits_, needed});
    if (!checked) {
        findings_.take_over(checked.error().issues(), 0, span);
        return std::nullopt;
    }
    return checked->type();
}

}  // namespace tenrex::profile
