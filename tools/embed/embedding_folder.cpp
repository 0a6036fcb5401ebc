#include "tools/embed/embedding_folder.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/input.h"

namespace tenrex::tool {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t most_json_bytes = std::size_t{16} << 20;
constexpr std::size_t most_layers = 9;

// The first of the files that is there; empty: none is.
std::string first_of(const fs::path &folder, std::initializer_list<const char *> names) {
    std::error_code problem;
    for (const char *name : names) {
        if (fs::is_regular_file(folder / name, problem)) {
            return (folder / name).string();
        }
    }
    return {};
}

// Null if there is no such file.
Result<Json> read_json(const fs::path &path) {
    std::error_code problem;
    if (!fs::exists(path, problem)) {
        return Json();
    }
    const auto text = read_all(path.string(), most_json_bytes);
    if (!text) {
        return text.error();
    }
    Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded()) {
        return Error(fmt::format("{} is no JSON", path.string()));
    }
    return json;
}

std::optional<std::size_t> count_in(const Json &json, const char *name) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_unsigned()) {
        return std::nullopt;
    }
    return json[name].get<std::size_t>();
}

// Empty if there is none.
std::string text_in(const Json &json, const char *name) {
    const bool has_text = json.is_object() && json.contains(name) && json[name].is_string();
    return has_text ? json[name].get<std::string>() : std::string();
}

// The first of the prompts that is there.
std::optional<std::string> prompt_in(const Json &prompts, std::initializer_list<const char *> names) {
    for (const char *name : names) {
        if (prompts.is_object() && prompts.contains(name) && prompts[name].is_string()) {
            return prompts[name].get<std::string>();
        }
    }
    return std::nullopt;
}

Result<Pooling> read_pooling(const fs::path &path) {
    const auto json = read_json(path);
    if (!json) {
        return json.error();
    }
    if (json->is_object() && json->value("include_prompt", Json(true)) == false) {
        return Error(fmt::format("{}: a prompt that is left out of the vector is not supported", path.string()));
    }
    std::optional<Pooling> found;
    for (const auto &[name, value] : json->items()) {
        if (!name.starts_with("pooling_mode_") || value != true) {
            continue;
        }
        const bool is_known =
            name == "pooling_mode_cls_token" || name == "pooling_mode_mean_tokens" || name == "pooling_mode_max_tokens";
        if (!is_known || found) {
            return Error(fmt::format("{}: {} is not supported{}", path.string(), name, found ? " beside another" : ""),
                         "one of mean, cls and max must be the only one; --pooling chooses it");
        }
        found = name == "pooling_mode_cls_token"     ? Pooling::first
                : name == "pooling_mode_mean_tokens" ? Pooling::mean
                                                     : Pooling::max;
    }
    return found.value_or(Pooling::mean);
}

// A layer has a dimension of its own, which comes before that of the vectors by the alphabet.
Status add_layer(const fs::path &folder, const std::string &path, bool is_pooled, EmbeddingFolder &result) {
    const std::size_t number = result.layers.size();
    if (number == most_layers || result.normalizes || !is_pooled) {
        return Error(fmt::format("{}: {}", (folder / "modules.json").string(),
                                 !is_pooled          ? "a layer over the vectors of tokens is not supported"
                                 : result.normalizes ? "a layer behind Normalize is not supported"
                                                     : "there are too many layers"),
                     "modules are Transformer, Pooling, Dense and Normalize, in this order");
    }
    const std::string in = number == 0 ? "v" : fmt::format("c{}", most_layers - number + 1);
    auto layer = read_dense_layer((folder / path).string(), in, fmt::format("c{}", most_layers - number));
    if (!layer) {
        return layer.error();
    }
    result.layers.push_back(*std::move(layer));
    return {};
}

Status read_modules(const fs::path &folder, EmbeddingFolder &result) {
    const auto modules = read_json(folder / "modules.json");
    if (!modules) {
        return modules.error();
    }
    bool is_pooled = false;
    for (const Json &module : *modules) {
        const std::string type = text_in(module, "type");
        const std::string kind = type.substr(type.rfind('.') + 1);
        if (kind == "Pooling") {
            const auto pooling = read_pooling(folder / text_in(module, "path") / "config.json");
            if (!pooling) {
                return pooling.error();
            }
            result.pooling = *pooling;
            is_pooled = true;
        } else if (kind == "Dense") {
            if (Status status = add_layer(folder, text_in(module, "path"), is_pooled, result); !status) {
                return status;
            }
        } else if (kind == "Normalize") {
            result.normalizes = true;
        } else if (kind != "Transformer") {
            return Error(fmt::format("{}: the module '{}' is not supported", (folder / "modules.json").string(), type),
                         "modules are Transformer, Pooling, Dense and Normalize");
        }
    }
    return {};
}

// What the other files say, as far as they are there.
Status read_limits(const fs::path &folder, EmbeddingFolder &result) {
    Json files[4];
    const char *const names[] = {"sentence_bert_config.json", "config.json", "tokenizer_config.json",
                                 "config_sentence_transformers.json"};
    for (std::size_t i = 0; i < std::size(files); ++i) {
        auto json = read_json(folder / names[i]);
        if (!json) {
            return json.error();
        }
        files[i] = *std::move(json);
    }
    const auto &[limits, config, tokenizer, prompts] = files;
    result.positions = count_in(config, "max_position_embeddings");
    result.vocabulary = count_in(config, "vocab_size");
    result.max_length = count_in(limits, "max_seq_length");
    if (!result.max_length) {
        const auto most = count_in(tokenizer, "model_max_length");
        result.max_length = most && result.positions ? std::min(most, result.positions)
                            : most                   ? most
                                                     : result.positions;
    }
    result.lower_case = !tokenizer.is_object() || tokenizer.value("do_lower_case", Json(true)) != false;
    const Json texts = prompts.is_object() ? prompts.value("prompts", Json()) : Json();
    const std::string prompt = text_in(prompts, "default_prompt_name");
    if (!prompt.empty()) {
        result.prefix = text_in(texts, prompt.c_str());
    }
    result.query_prefix = prompt_in(texts, {"query"});
    result.document_prefix = prompt_in(texts, {"document", "passage", "corpus"});
    return {};
}

// What the folder says of a model and a tokenizer that are known.
Result<EmbeddingFolder> with_settings(EmbeddingFolder result, const fs::path &folder) {
    if (const Status status = read_modules(folder, result); !status) {
        return status.error();
    }
    const Status status = read_limits(folder, result);
    return status ? Result<EmbeddingFolder>(std::move(result)) : Result<EmbeddingFolder>(status.error());
}

Error no_tokenizer(const fs::path &folder) {
    return Error(fmt::format("{} has no tokenizer", folder.string()),
                 "a tokenizer is called tokenizer.json or vocab.txt");
}

constexpr std::initializer_list<const char *> tokenizers = {"tokenizer.json", "vocab.txt"};

}  // namespace

Result<EmbeddingFolder> read_embedding_folder(const std::string &path) {
    const fs::path folder(path);
    EmbeddingFolder result;
    result.model = first_of(folder, {"model.onnx", "onnx/model.onnx", "model.safetensors", "model.packed"});
    result.tokenizer = first_of(folder, tokenizers);
    if (result.model.empty()) {
        return Error(fmt::format("{} has no model", path),
                     "a model is called model.onnx, model.safetensors or model.packed");
    }
    return result.tokenizer.empty() ? Result<EmbeddingFolder>(no_tokenizer(folder))
                                    : with_settings(std::move(result), folder);
}

Result<EmbeddingFolder> embedding_folder_of(const std::string &model, const std::string &tokenizer) {
    fs::path folder = fs::path(model).has_parent_path() ? fs::path(model).parent_path() : fs::path(".");
    EmbeddingFolder result;
    result.model = model;
    result.tokenizer = tokenizer.empty() ? first_of(folder, tokenizers) : tokenizer;
    if (result.tokenizer.empty()) {
        const fs::path above = folder / "..";
        result.tokenizer = folder.filename() == "onnx" ? first_of(above, tokenizers) : std::string();
        folder = result.tokenizer.empty() ? folder : above;
    }
    return result.tokenizer.empty() ? Result<EmbeddingFolder>(no_tokenizer(folder))
                                    : with_settings(std::move(result), folder);
}

}  // namespace tenrex::tool
