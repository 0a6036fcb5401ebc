#include "tools/model/model_table.h"

#include <fmt/format.h>

namespace tenrex::tool {

void ModelTable::add_network(std::string name, ModelFile file, ModelPrecision precision) {
    networks_.push_back(std::make_shared<Network>());
    networks_.back()->name = std::move(name);
    networks_.back()->file = std::move(file);
    networks_.back()->precision = precision;
}

Result<OnnxModel> ModelTable::import(Network &network, const Schema &schema, const std::string &types) {
    const std::lock_guard<std::mutex> lock(network.mutex);
    if (network.model && network.types == types) {
        return *network.model;
    }
    OnnxOptions options = network_options(network.file.path);
    options.name = network.name;
    options.precision = network.precision;
    options.type_of = [&](std::string_view input) {
        const InputDeclaration *declared = schema.find_input(input);
        return declared == nullptr ? std::nullopt : std::optional(declared->type);
    };
    auto model = load_network(network.file, options);
    network.file.bytes.clear();
    network.file.is_mapped = true;  // a prompt may ask for other types of inputs later
    if (!model) {
        Error error = std::move(model).error();
        error.set_source_name(network.file.path);
        return error;
    }
    network.types = types;
    network.model = *std::move(model);
    return *network.model;
}

Result<std::vector<OnnxModel>> ModelTable::networks(const Schema &schema) const {
    std::string types;
    for (const InputDeclaration &input : schema.inputs()) {
        types += networks_.empty() ? std::string() : fmt::format("{} {}\n", input.name, input.type_text());
    }
    std::vector<OnnxModel> models;
    for (const std::shared_ptr<Network> &network : networks_) {
        auto model = import(*network, schema, types);
        if (!model) {
            return std::move(model).error();
        }
        models.push_back(*std::move(model));
    }
    return models;
}

Status ModelTable::declare(Schema &schema) const {
    for (const auto &[name, forest] : forests_) {
        schema.forest(name, forest);
    }
    const auto models = networks(schema);
    if (!models) {
        return models.error();
    }
    for (const OnnxModel &model : *models) {
        model.add_to(schema);
    }
    return schema.error() ? Status(*schema.error()) : Status();
}

}  // namespace tenrex::tool
