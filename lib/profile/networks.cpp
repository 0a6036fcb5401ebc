// Models in ONNX files: found by name, read once for all phases.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "lib/profile/input_table.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"

namespace tenrex::profile {

namespace {

// The name in the symbols of the definitions, which have fewer characters than names of blocks.
std::string symbol_of(const NetworkText &text, std::size_t number) {
    std::string name = text.name.text;
    const auto is_other = [](char c) { return !is_name_char(c); };
    if (std::any_of(name.begin(), name.end(), is_other)) {
        std::replace_if(name.begin(), name.end(), is_other, '_');
        name += fmt::format("_{}", number);
    }
    return name;
}

}  // namespace

const NetworkText *InputTable::find_network(std::string_view name, Span span) {
    if (const NetworkText *network = profile_.networks.find(name)) {
        return network;
    }
    const auto &all = set_.file.networks;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.name.text == name; });
    if (found != all.end() || !name.ends_with(".onnx")) {
        return found == all.end() ? nullptr : &*found;
    }
    const auto [file, is_new] = files_of_networks_.try_emplace(std::string(name));
    if (is_new) {
        file->second.name = {std::string(name), span};
        file->second.file = file->second.name;
    }
    return &file->second;
}

const ModelDefinitions *InputTable::network(const NetworkText &text, const ModelInputType &type_of) {
    const auto [found, is_new] = networks_.try_emplace(&text);
    if (!is_new) {
        return found->second ? &*found->second : nullptr;
    }
    if (!set_.loader) {
        findings_.error(text.file.span, fmt::format("{} cannot be read: no files are read here", text.file.text));
        return nullptr;
    }
    const auto bytes = set_.loader(text.file.text);
    if (!bytes) {
        findings_.error(text.file.span, bytes.error().message());
        return nullptr;
    }
    ModelRequest request;
    request.name = symbol_of(text, networks_.size());
    bool knows_types = true;
    request.type_of = [&](std::string_view input) {
        auto type = type_of(input);
        knows_types = knows_types && type.has_value();
        return type;
    };
    request.beside = [&](std::string_view location) {
        return set_.loader((std::filesystem::path(text.file.text).parent_path() / location).string());
    };
    request.limits = set_.options.limits;
    request.precision = text.precision;
    auto model = options_.models(*bytes, request);
    if (!knows_types) {
        return nullptr;
    }
    if (!model) {
        const Issue &issue = model.error().issues().front();
        findings_.error(text.file.span, fmt::format("the model {} cannot be used: {}", text.file.text, issue.message),
                        issue.hint);
        return nullptr;
    }
    for (const auto &[symbol, value] : model->constants) {
        constant(symbol, value);
    }
    model->constants.clear();
    for (ForestDeclaration &forest : std::exchange(model->forests, {})) {
        schema_.forest(forest.name, std::move(forest.forest), std::move(forest.inputs));
    }
    found->second = *std::move(model);
    return &*found->second;
}

}  // namespace tenrex::profile
