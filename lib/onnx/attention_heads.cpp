#include <tenrex/attention_heads.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/bert_heads.h"
#include "lib/onnx/import.h"
#include "lib/onnx/model_bytes.h"
#include "lib/onnx/onnx_heads.h"

namespace tenrex {

// One of both.
struct AttentionHeads::Content {
    explicit Content(onnx::ModelFiles opened) : files(std::move(opened)) {}

    mutable onnx::ModelFiles files;  // reads those beside the model when they are asked for
    std::unique_ptr<const onnx::OnnxHeads> graph;
    std::optional<onnx::BertHeads> weights;
    std::vector<Layer> layers;
};

namespace {

// Heads in order, for each layer.
Result<AttentionHeads::Choice> checked(const AttentionHeads::Choice &heads,
                                       const std::vector<AttentionHeads::Layer> &layers) {
    if (heads.size() > layers.size()) {
        return Error(fmt::format("heads of {} layers are chosen, but there are {}", heads.size(), layers.size()));
    }
    AttentionHeads::Choice result = heads;
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::sort(result[i].begin(), result[i].end());
        result[i].erase(std::unique(result[i].begin(), result[i].end()), result[i].end());
        if (!result[i].empty() && result[i].back() >= layers[i].heads) {
            return Error(
                fmt::format("head {} of layer {} is chosen, which has {}", result[i].back(), i, layers[i].heads),
                "layers and their heads are counted from 0");
        }
    }
    return result;
}

}  // namespace

Result<AttentionHeads> AttentionHeads::find(const std::string &path) {
    return onnx::unless_out_of_memory([&]() -> Result<AttentionHeads> {
        auto content = std::make_shared<Content>(onnx::ModelFiles::in(std::filesystem::path(path).parent_path()));
        const auto bytes = content->files.open(path);
        if (!bytes) {
            return bytes.error();
        }
        if (content->files.packed() != nullptr) {
            return Error("the model is packed, and heads cannot be cut out of packed matrices",
                         fmt::format("cut the model that it was made of, {}", content->files.packed()->source));
        }
        if (onnx::is_safetensors(*bytes)) {
            const auto config = content->files.beside("config.json");
            auto weights = config ? onnx::BertHeads::read(*bytes, *config) : Result<onnx::BertHeads>(config.error());
            if (!weights) {
                return std::move(weights).error();
            }
            content->layers = weights->layers();
            content->weights = *std::move(weights);
        } else {
            auto graph = onnx::OnnxHeads::read(*bytes);
            if (!graph) {
                return std::move(graph).error();
            }
            content->layers = (*graph)->layers();
            content->graph = *std::move(graph);
        }
        return AttentionHeads(std::move(content));
    });
}

const std::vector<AttentionHeads::Layer> &AttentionHeads::layers() const noexcept {
    return content_->layers;
}

Result<AttentionHeads::Files> AttentionHeads::changed(const Choice &heads, bool is_silenced) const {
    return onnx::unless_out_of_memory([&]() -> Result<Files> {
        const auto choice = checked(heads, content_->layers);
        if (!choice) {
            return choice.error();
        }
        for (std::size_t i = 0; i < choice->size() && !is_silenced; ++i) {
            if ((*choice)[i].size() == content_->layers[i].heads) {
                return Error(fmt::format("no head would be left in layer {}", i), "each layer keeps one at least");
            }
        }
        if (content_->weights) {
            return content_->weights->without(*choice, is_silenced);
        }
        auto model = content_->graph->without(*choice, is_silenced, content_->files);
        return model ? Files{*std::move(model), {}} : Result<Files>(std::move(model).error());
    });
}

Result<AttentionHeads::Files> AttentionHeads::without(const Choice &heads) const {
    return changed(heads, false);
}

Result<AttentionHeads::Files> AttentionHeads::silenced(const Choice &heads) const {
    return changed(heads, true);
}

}  // namespace tenrex
