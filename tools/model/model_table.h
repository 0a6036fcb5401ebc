// The models of --model NAME=FILE: forests and networks.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/forest.h>
#include <tenrex/onnx.h>
#include <tenrex/schema.h>

#include "tools/model/model_options.h"

namespace tenrex::tool {

// Copies share the networks that have been imported.
class ModelTable {
public:
    void add(std::string name, Forest forest) { forests_.emplace_back(std::move(name), std::move(forest)); }
    void add_network(std::string name, ModelFile file, ModelPrecision precision = ModelPrecision::f32);

    const std::vector<std::pair<std::string, Forest>> &forests() const noexcept { return forests_; }
    // The networks for the inputs that the schema declares, by the names that they have in the models. An axis without
    // a size gets that of the input's type.
    Result<std::vector<OnnxModel>> networks(const Schema &schema) const;
    // Declares all of them, after the inputs.
    Status declare(Schema &schema) const;

private:
    // A prompt asks again and again, mostly for the same types.
    struct Network {
        std::string name;
        ModelPrecision precision = ModelPrecision::f32;
        std::mutex mutex;  // of what follows
        ModelFile file;    // without its bytes once it has been imported
        std::string types;
        std::optional<OnnxModel> model;
    };
    static Result<OnnxModel> import(Network &network, const Schema &schema, const std::string &types);

    std::vector<std::pair<std::string, Forest>> forests_;
    std::vector<std::shared_ptr<Network>> networks_;
};

}  // namespace tenrex::tool
