// The options of the commands that read a model: what a dump of XGBoost leaves out.
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

// The model; nothing after a message, and the exit status.
std::optional<Forest> load_model(const std::string &path, const ModelOptions &options, int &status);

}  // namespace tenrex::tool
