// How commands read a model, and their options: what a dump of XGBoost leaves out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tenrex/forest.h>

#include "tools/command.h"

namespace tenrex::tool {

struct ModelOptions {
    std::string feature_map;
    std::size_t outputs = 1;
    double base_score = 0;
};

void add_model_options(ArgumentParser &parser, ModelOptions &options);

// Whether the file holds a network. It does if it is called .onnx, unless it has a node with trees: such a file, and
// one of any other name, holds a forest.
bool is_network(const std::string &path);

// The forest of a file; nothing after a message, and the exit status.
std::optional<Forest> load_forest(const std::string &path, const ModelOptions &options, int &status);

}  // namespace tenrex::tool
