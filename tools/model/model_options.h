// How commands read a model, and their options: what a dump of XGBoost leaves out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tenrex/forest.h>
#include <tenrex/onnx.h>

#include "tools/command.h"

namespace tenrex::tool {

struct ModelOptions {
    std::string feature_map;
    std::size_t outputs = 1;
    double base_score = 0;
};

void add_model_options(ArgumentParser &parser, ModelOptions &options);

// A file with a model. It holds a network if it is packed, or called .onnx or .safetensors, unless a node with trees is
// all that is in it: such a file, and any other one, holds a forest.
struct ModelFile {
    std::string path;
    std::string bytes;
    bool is_network = false;
    bool is_mapped = false;  // has no bytes here: it is read where it is
};

// Nothing after a message, and the exit status.
std::optional<ModelFile> read_model(const std::string &path, int &status);
std::optional<Forest> forest_in(const ModelFile &file, const ModelOptions &options, int &status);
std::optional<Forest> load_forest(const std::string &path, const ModelOptions &options, int &status);
// How a network in a file is imported, without what is known of its inputs.
OnnxOptions network_options(const std::string &path);
Result<OnnxModel> load_network(const ModelFile &file, const OnnxOptions &options);
Result<OnnxContents> network_contents(const ModelFile &file);

}  // namespace tenrex::tool
