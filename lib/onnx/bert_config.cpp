#include "lib/onnx/bert_config.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lib/forest/document.h"

namespace tenrex::onnx {

namespace {

using forest::Document;

class ConfigReader {
public:
    explicit ConfigReader(const Document &document) : document_(document) {}

    Result<BertConfig> read() {
        BertConfig config;
        const Document::Id architectures = document_.find(document_.root(), "architectures");
        const Document::Id first = architectures == Document::none ? Document::none : document_.first(architectures);
        const auto architecture = first == Document::none ? Result<std::string_view>(Error("")) : document_.text(first);
        config.architecture = architecture ? *architecture : std::string_view();
        config.activation = text("hidden_act", "gelu");
        constexpr std::int64_t most_layers = 1000, most_width = 1 << 20;
        config.layers = integer("num_hidden_layers", most_layers);
        config.heads = integer("num_attention_heads", most_width);
        config.width = integer("hidden_size", most_width);
        constexpr double usual = 1e-12;
        const Document::Id place = document_.find(document_.root(), "layer_norm_eps");
        const auto epsilon = place == Document::none ? Result<double>(usual) : document_.number(place);
        config.epsilon = epsilon ? *epsilon : usual;
        if (!error_ && text("model_type", "bert") != "bert") {
            error_ = Error(
                fmt::format("config.json says the model type '{}', which is not supported", text("model_type", "bert")),
                "of weights without a graph, those of BERT are read; export other models to ONNX");
        }
        if (!error_ && text("position_embedding_type", "absolute") != "absolute") {
            error_ = Error(fmt::format("config.json says positions of the kind '{}', which is not supported",
                                       text("position_embedding_type", "absolute")),
                           "export the model to ONNX");
        }
        if (!error_ && config.width % config.heads != 0) {
            error_ = Error(fmt::format("config.json says {} heads for vectors of {} numbers, which cannot be divided",
                                       config.heads, config.width));
        }
        if (!error_) {
            auto pruned = pruned_heads(document_, config.layers, config.heads);
            if (!pruned) {
                return std::move(pruned).error();
            }
            config.pruned = *std::move(pruned);
        }
        return error_ ? Result<BertConfig>(*error_) : Result<BertConfig>(std::move(config));
    }

private:
    std::string_view text(std::string_view key, std::string_view otherwise) const {
        const Document::Id id = document_.find(document_.root(), key);
        const auto value = id == Document::none ? Result<std::string_view>(otherwise) : document_.text(id);
        return value ? *value : otherwise;
    }
    std::int64_t integer(std::string_view key, std::int64_t most) {
        const Document::Id id = document_.find(document_.root(), key);
        const auto value = id == Document::none
                               ? Result<std::int64_t>(Error(fmt::format("config.json does not say \"{}\"", key)))
                               : document_.integer(id, 1, most);
        if (!value && !error_) {
            error_ = value.error();
        }
        return value ? *value : 1;
    }

    const Document &document_;
    std::optional<Error> error_;
};

}  // namespace

Result<BertConfig> read_bert_config(std::string_view config) {
    const auto document = Document::from_json(config);
    if (!document) {
        return Error(fmt::format("config.json: {}", document.error().issues().front().message));
    }
    return ConfigReader(*document).read();
}

}  // namespace tenrex::onnx
