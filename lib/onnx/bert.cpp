#include "lib/onnx/bert.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lib/forest/document.h"
#include "lib/onnx/safetensors.h"

namespace tenrex::onnx {

namespace {

using forest::Document;

// What config.json says.
struct BertConfig {
    std::string architecture;
    std::string activation;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t width = 0;
    double epsilon = 0;
};

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

// Adds nodes to a model. Each value has a name of its own.
class BertWriter {
public:
    BertWriter(const BertConfig &config, Weights weights) : config_(config), weights_(std::move(weights)) {
        model_.texts = std::make_shared<std::deque<std::string>>();
        prefix_ = weights_.contains("embeddings.word_embeddings.weight") ? "" : "bert.";
    }

    Result<Model> write() {
        model_.producer = "safetensors";
        constexpr std::int64_t opset = 20;
        model_.operator_sets = {{"", opset}};
        for (const std::string_view input : {"input_ids", "attention_mask", "token_type_ids"}) {
            model_.inputs.push_back(
                {input, ElementType::i64, true, {{std::nullopt, "batch"}, {std::nullopt, "sequence"}}});
        }
        const std::string_view hidden = encoder();
        const std::string_view architecture = config_.architecture;
        if (architecture == "BertModel" || architecture.empty()) {
            output("last_hidden_state", hidden);
            if (has(prefix_ + "pooler.dense.weight")) {
                output("pooler_output", pooled(hidden));
            }
        } else if (architecture == "BertForSequenceClassification") {
            output("logits", dense(pooled(hidden), "classifier"));
        } else if (architecture == "BertForTokenClassification") {
            output("logits", dense(hidden, "classifier"));
        } else if (architecture == "BertForQuestionAnswering") {
            const std::string_view both = dense(hidden, "qa_outputs");
            output("start_logits", node("Gather", {both, integers({}, {0})}, {{"axis", std::int64_t{-1}}}));
            output("end_logits", node("Gather", {both, integers({}, {1})}, {{"axis", std::int64_t{-1}}}));
        } else {
            return Error(fmt::format("config.json says the architecture '{}', which is not supported", architecture),
                         "BertModel, BertForSequenceClassification, BertForTokenClassification and "
                         "BertForQuestionAnswering are; export other models to ONNX");
        }
        return error_ ? Result<Model>(*error_) : Result<Model>(std::move(model_));
    }

private:
    std::string_view keep(std::string text) { return model_.texts->emplace_back(std::move(text)); }

    std::string_view node(std::string_view op, std::vector<std::string_view> inputs,
                          std::vector<Attribute> attributes = {}) {
        const std::string_view made = keep(fmt::format("value {}", made_++));
        model_.nodes.push_back({{}, op, {}, std::move(inputs), {made}, std::move(attributes)});
        return made;
    }
    void output(std::string_view name, std::string_view value) {
        model_.nodes.push_back({{}, "Identity", {}, {value}, {name}, {}});
        model_.outputs.push_back({name, ElementType::f32, false, {}});
    }
    std::string_view initializer(TensorData data) {
        data.name = keep(fmt::format("value {}", made_++));
        return model_.initializers.emplace_back(std::move(data)).name;
    }
    std::string_view integers(std::vector<std::int64_t> shape, std::vector<std::int64_t> numbers) {
        TensorData data;
        data.type = ElementType::i64;
        data.dimensions = std::move(shape);
        data.integers = std::move(numbers);
        return initializer(std::move(data));
    }
    std::string_view list(std::vector<std::int64_t> numbers) {
        const auto size = static_cast<std::int64_t>(numbers.size());
        return integers({size}, std::move(numbers));
    }
    std::string_view number(float value) {
        TensorData data;
        data.floats = {value};
        return initializer(std::move(data));
    }

    bool has(const std::string &name) const { return weights_.contains(name); }
    std::string_view weight(const std::string &name) {
        const auto found = weights_.find(name);
        if (found == weights_.end()) {
            if (!error_) {
                error_ = Error(fmt::format("there is no tensor '{}'", name),
                               fmt::format("config.json says {} layers of the architecture '{}'", config_.layers,
                                           config_.architecture));
            }
            return number(0);
        }
        return initializer(found->second);
    }

    // Weights have a row for each column of the result.
    std::string_view dense(std::string_view x, const std::string &name) {
        const std::string_view turned = node("Transpose", {weight(name + ".weight")});
        return node("Add", {node("MatMul", {x, turned}), weight(name + ".bias")});
    }
    std::string_view normalized(std::string_view x, const std::string &name) {
        // Older files call them as the first program did.
        const bool is_old = has(name + ".gamma");
        return node("LayerNormalization",
                    {x, weight(name + (is_old ? ".gamma" : ".weight")), weight(name + (is_old ? ".beta" : ".bias"))},
                    {{"axis", std::int64_t{-1}}, {"epsilon", static_cast<float>(config_.epsilon)}});
    }
    std::string_view activated(std::string_view x) {
        const std::string_view name = config_.activation;
        if (name == "gelu") {
            return node("Gelu", {x});
        }
        if (name == "gelu_new" || name == "gelu_pytorch_tanh") {
            return node("Gelu", {x}, {{"approximate", std::string_view("tanh")}});
        }
        if (name == "relu") {
            return node("Relu", {x});
        }
        if (!error_) {
            error_ = Error(fmt::format("config.json says the function '{}', which is not supported", name),
                           "gelu, gelu_new, gelu_pytorch_tanh and relu are");
        }
        return x;
    }
    std::string_view pooled(std::string_view hidden) {
        const std::string_view first = node("Gather", {hidden, integers({}, {0})}, {{"axis", std::int64_t{1}}});
        return node("Tanh", {dense(first, prefix_ + "pooler.dense")});
    }

    // [batch, heads, sequence, size], or with the last two axes turned.
    std::string_view heads(std::string_view x, const std::string &name, std::vector<std::int64_t> order) {
        const std::string_view split =
            node("Reshape", {dense(x, name), list({0, 0, config_.heads, config_.width / config_.heads})});
        return node("Transpose", {split}, {{"perm", std::move(order)}});
    }

    std::string_view layer(std::string_view x, std::string_view mask, const std::string &name) {
        const std::string attention = name + "attention.";
        const std::string_view query = heads(x, attention + "self.query", {0, 2, 1, 3});
        const std::string_view key = heads(x, attention + "self.key", {0, 2, 3, 1});
        const std::string_view value = heads(x, attention + "self.value", {0, 2, 1, 3});
        const double size = static_cast<double>(config_.width) / static_cast<double>(config_.heads);
        const std::string_view scores =
            node("Div", {node("MatMul", {query, key}), number(static_cast<float>(std::sqrt(size)))});
        const std::string_view shares = node("Softmax", {node("Add", {scores, mask})}, {{"axis", std::int64_t{-1}}});
        const std::string_view mixed =
            node("Transpose", {node("MatMul", {shares, value})}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
        const std::string_view joined = node("Reshape", {mixed, list({0, 0, config_.width})});
        const std::string_view attended =
            normalized(node("Add", {dense(joined, attention + "output.dense"), x}), attention + "output.LayerNorm");
        const std::string_view inner = activated(dense(attended, name + "intermediate.dense"));
        return normalized(node("Add", {dense(inner, name + "output.dense"), attended}), name + "output.LayerNorm");
    }

    std::string_view encoder() {
        const std::string embeddings = prefix_ + "embeddings.";
        const std::string_view length =
            node("Gather", {node("Shape", {"input_ids"}), integers({}, {1})}, {{"axis", std::int64_t{0}}});
        const std::string_view places = node("Range", {integers({}, {0}), length, integers({}, {1})});
        const std::string_view words = node("Gather", {weight(embeddings + "word_embeddings.weight"), "input_ids"});
        const std::string_view kinds =
            node("Gather", {weight(embeddings + "token_type_embeddings.weight"), "token_type_ids"});
        const std::string_view positions = node("Gather", {weight(embeddings + "position_embeddings.weight"), places});
        std::string_view hidden =
            normalized(node("Add", {node("Add", {words, kinds}), positions}), embeddings + "LayerNorm");
        // What is added to scores: 0, or what makes a share of 0.
        const std::string_view kept = node("Cast", {node("Unsqueeze", {"attention_mask", list({1, 2})})},
                                           {{"to", info(ElementType::f32).number}});
        const std::string_view mask =
            node("Mul", {node("Sub", {number(1), kept}), number(std::numeric_limits<float>::lowest())});
        for (std::int64_t i = 0; i < config_.layers && !error_; ++i) {
            hidden = layer(hidden, mask, fmt::format("{}encoder.layer.{}.", prefix_, i));
        }
        return hidden;
    }

    const BertConfig &config_;
    Weights weights_;
    std::string prefix_;
    Model model_;
    int made_ = 0;
    std::optional<Error> error_;
};

}  // namespace

Result<Model> bert_model(std::string_view weights, std::string_view config) {
    auto tensors = read_safetensors(weights);
    if (!tensors) {
        return std::move(tensors).error();
    }
    const auto document = Document::from_json(config);
    if (!document) {
        return Error(fmt::format("config.json: {}", document.error().issues().front().message));
    }
    const auto said = ConfigReader(*document).read();
    return said ? BertWriter(*said, *std::move(tensors)).write() : Result<Model>(said.error());
}

}  // namespace tenrex::onnx
