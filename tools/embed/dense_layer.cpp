#include "tools/embed/dense_layer.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/input.h"

namespace tenrex::tool {

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_config_bytes = std::size_t{1} << 20;
constexpr std::size_t most_weight_bytes = std::size_t{1} << 30;

// The name of a class of torch, without its module: the function of the same meaning.
std::optional<std::string> function_of(std::string_view name) {
    constexpr std::pair<std::string_view, const char *> functions[] = {
        {"Identity", ""}, {"Tanh", "tanh"}, {"ReLU", "relu"}, {"Sigmoid", "sigmoid"}};
    name = name.substr(name.rfind('.') + 1);
    for (const auto &[theirs, ours] : functions) {
        if (name == theirs) {
            return ours;
        }
    }
    return std::nullopt;
}

// A file of safetensors: the length of its header in 8 bytes, the header as JSON, and the cells.
class WeightFile {
public:
    static Result<WeightFile> read(const std::string &path) {
        auto content = read_all(path, most_weight_bytes);
        if (!content) {
            return content.error();
        }
        std::uint64_t size = 0;
        if (content->size() >= sizeof(size)) {
            std::memcpy(&size, content->data(), sizeof(size));
        }
        const bool fits = content->size() >= sizeof(size) && size <= content->size() - sizeof(size);
        Json header =
            fits ? Json::parse(content->data() + sizeof(size), content->data() + sizeof(size) + size, nullptr, false)
                 : Json();
        if (!header.is_object()) {
            return Error(path + " is no file of safetensors");
        }
        return WeightFile(path, *std::move(content), sizeof(size) + size, std::move(header));
    }

    bool has(const std::string &name) const { return header_.contains(name); }

    // Error: there is none of that name with so many cells of that type.
    Result<Tensor> tensor(const std::string &name, const std::string &type) const {
        auto made = TensorType::parse(type);
        if (!made) {
            return made.error();
        }
        const Json entry = header_.value(name, Json::object());
        const Json place = entry.is_object() ? entry.value("data_offsets", Json()) : Json();
        const std::size_t bytes = made->block_cells() * sizeof(float);
        const bool has_place =
            place.is_array() && place.size() == 2 && place[0].is_number_unsigned() && place[1].is_number_unsigned();
        const std::uint64_t begin = has_place ? place[0].get<std::uint64_t>() : 0;
        const std::uint64_t end = has_place ? place[1].get<std::uint64_t>() : 0;
        if (!has_place || entry.value("dtype", Json()) != "F32" || end < begin || end > content_.size() - cells_ ||
            end - begin != bytes) {
            return Error(fmt::format("{}: {} is no {}", path_, name, made->to_string()),
                         "weights are 32-bit floats (F32)");
        }
        TensorBuilder builder(*std::move(made));
        if (bytes != 0) {
            std::memcpy(builder.cells(0), content_.data() + cells_ + begin, bytes);
        }
        return std::move(builder).build();
    }

private:
    WeightFile(std::string path, std::string content, std::size_t cells, Json header)
        : path_(std::move(path)), content_(std::move(content)), cells_(cells), header_(std::move(header)) {}

    std::string path_;
    std::string content_;
    std::size_t cells_;  // where they begin
    Json header_;
};

}  // namespace

Result<DenseLayer> read_dense_layer(const std::string &path, const std::string &in, const std::string &out) {
    const std::string config_path = path + "/config.json";
    const auto text = read_all(config_path, most_config_bytes);
    if (!text) {
        return text.error();
    }
    const Json config = Json::parse(*text, nullptr, false);
    const auto size_of = [&](const char *name) {
        return config.is_object() && config.contains(name) && config[name].is_number_unsigned()
                   ? config[name].get<std::uint64_t>()
                   : 0;
    };
    const std::uint64_t inner = size_of("in_features"), outer = size_of("out_features");
    if (inner == 0 || outer == 0) {
        return Error(config_path + " does not say how many in_features and out_features the layer has");
    }
    const Json function = config.value("activation_function", Json("Tanh"));
    const auto known = function.is_string() ? function_of(function.get<std::string>()) : std::nullopt;
    if (!known) {
        return Error(fmt::format("{}: the function {} is not supported", config_path, function.dump()),
                     "functions are Identity, Tanh, ReLU and Sigmoid");
    }
    DenseLayer layer{*known, {}, {}, path + "/model.safetensors"};
    const auto file = WeightFile::read(layer.path);
    if (!file) {
        return file.error();
    }
    auto weights = file->tensor("linear.weight", fmt::format("tensor<float>({}[{}],{}[{}])", out, outer, in, inner));
    if (!weights) {
        return weights.error();
    }
    layer.weights = *std::move(weights);
    const std::string type = fmt::format("tensor<float>({}[{}])", out, outer);
    const bool has_bias = file->has("linear.bias") || config.value("bias", Json(true)) != false;
    auto bias =
        has_bias ? file->tensor("linear.bias", type) : Result<Tensor>(TensorBuilder(*TensorType::parse(type)).build());
    if (!bias) {
        return bias.error();
    }
    layer.bias = *std::move(bias);
    return layer;
}

}  // namespace tenrex::tool
