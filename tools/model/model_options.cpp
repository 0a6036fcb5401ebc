#include "tools/model/model_options.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t most_model_bytes = std::size_t{1} << 32;

bool is_onnx(const std::string &path) noexcept {
    return path.ends_with(".onnx");
}

std::optional<std::string> read_bytes(const std::string &path, int &status) {
    auto bytes = read_all(path, most_model_bytes);
    if (!bytes) {
        print_error(bytes.error());
        status = io_failure;
        return std::nullopt;
    }
    return *std::move(bytes);
}

// Whether it is a file that can be mapped, and holds a network.
bool is_network_file(const std::string &path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none) || ::access(path.c_str(), R_OK) != 0) {
        return false;
    }
    if (is_onnx(path)) {
        const auto contents = OnnxContents::load(path);
        return !contents || !contents->is_forest;
    }
    return path.ends_with(".safetensors") || is_packed_model(path);
}

}  // namespace

void add_model_options(ArgumentParser &parser, ModelOptions &options) {
    parser.add_option("--feature-map", options.feature_map, "FILE",
                      "The names of the features of a dump of XGBoost:\nlines of 'number name type'");
    parser.add_count("--outputs", options.outputs, "NUMBER",
                     "The number of outputs of a dump of XGBoost\n(default: 1)");
    parser.add_option("--base-score", options.base_score, "NUMBER",
                      "What the sums of a dump of XGBoost begin with\n(default: 0)");
}

std::optional<ModelFile> read_model(const std::string &path, int &status) {
    if (is_network_file(path)) {
        return ModelFile{path, {}, true, true};
    }
    auto bytes = read_bytes(path, status);
    if (!bytes) {
        return std::nullopt;
    }
    ModelFile file{path, *std::move(bytes), path.ends_with(".safetensors")};
    if (is_onnx(path)) {
        const auto contents = OnnxContents::read(file.bytes);
        file.is_network = !contents || !contents->is_forest;
    }
    return file;
}

std::optional<Forest> load_forest(const std::string &path, const ModelOptions &options, int &status) {
    auto bytes = read_bytes(path, status);
    return bytes ? forest_in({path, *std::move(bytes)}, options, status) : std::nullopt;
}

OnnxOptions network_options(const std::string &path) {
    OnnxOptions options;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    options.folder = folder.empty() ? "." : folder.string();
    return options;
}

Result<OnnxModel> load_network(const ModelFile &file, const OnnxOptions &options) {
    return file.is_mapped ? OnnxModel::load(file.path, options) : OnnxModel::read(file.bytes, options);
}

Result<OnnxContents> network_contents(const ModelFile &file) {
    return file.is_mapped ? OnnxContents::load(file.path)
                          : OnnxContents::read(file.bytes, network_options(file.path).folder);
}

std::optional<Forest> forest_in(const ModelFile &file, const ModelOptions &options, int &status) {
    ForestOptions forest_options;
    forest_options.outputs = static_cast<std::uint32_t>(options.outputs);
    forest_options.base_score = options.base_score;
    if (!options.feature_map.empty()) {
        auto text = read_bytes(options.feature_map, status);
        if (!text) {
            return std::nullopt;
        }
        forest_options.feature_map = *std::move(text);
    }
    auto forest = is_onnx(file.path) ? read_onnx_forest(file.bytes) : Forest::read(file.bytes, forest_options);
    if (!forest) {
        Error error = std::move(forest).error();
        error.set_source_name(file.path);
        print_error(error);
        status = rejected;
        return std::nullopt;
    }
    return *std::move(forest);
}

}  // namespace tenrex::tool
