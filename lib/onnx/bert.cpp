#include "lib/onnx/bert.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/bert_config.h"

namespace tenrex::onnx {

namespace {

std::string bert_layer(std::int64_t layer) {
    return fmt::format("encoder.layer.{}.", layer);
}

// Adds nodes to a model. Each value has a name of its own.
class BertWriter {
public:
    BertWriter(const BertConfig &config, Weights weights) : config_(config), weights_(std::move(weights)) {
        model_.texts = std::make_shared<std::deque<std::string>>();
        prefix_ = bert_prefix(weights_);
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
    std::string_view heads(std::string_view x, const std::string &name, std::int64_t count,
                           std::vector<std::int64_t> order) {
        expect_shape(name + ".weight", {count * config_.cells(), config_.width}, count);
        const std::string_view split = node("Reshape", {dense(x, name), list({0, 0, count, config_.cells()})});
        return node("Transpose", {split}, {{"perm", std::move(order)}});
    }

    // Weights with other heads than config.json says would be another model, if they fit each other.
    void expect_shape(const std::string &name, const std::vector<std::int64_t> &shape, std::int64_t heads) {
        const auto found = weights_.find(name);
        if (found != weights_.end() && found->second.dimensions != shape && !error_) {
            error_ = Error(fmt::format("the tensor '{}' is [{}], but [{}] is what config.json says of a layer with {} "
                                       "heads of {} cells",
                                       name, fmt::join(found->second.dimensions, ","), fmt::join(shape, ","), heads,
                                       config_.cells()),
                           "the weights and config.json belong to two models; \"pruned_heads\" tells heads that were "
                           "removed");
        }
    }

    std::string_view layer(std::string_view x, std::string_view mask, std::int64_t which) {
        const std::string name = prefix_ + bert_layer(which);
        const std::string attention = prefix_ + bert_attention(which);
        const std::int64_t count = config_.heads_of(which);
        const std::string_view query = heads(x, attention + "self.query", count, {0, 2, 1, 3});
        const std::string_view key = heads(x, attention + "self.key", count, {0, 2, 3, 1});
        const std::string_view value = heads(x, attention + "self.value", count, {0, 2, 1, 3});
        const auto size = static_cast<double>(config_.cells());
        const std::string_view scores =
            node("Div", {node("MatMul", {query, key}), number(static_cast<float>(std::sqrt(size)))});
        const std::string_view shares = node("Softmax", {node("Add", {scores, mask})}, {{"axis", std::int64_t{-1}}});
        const std::string_view mixed =
            node("Transpose", {node("MatMul", {shares, value})}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
        const std::string_view joined = node("Reshape", {mixed, list({0, 0, count * config_.cells()})});
        expect_shape(attention + "output.dense.weight", {config_.width, count * config_.cells()}, count);
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
            hidden = layer(hidden, mask, i);
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

std::string bert_prefix(const Weights &weights) {
    return weights.contains("embeddings.word_embeddings.weight") ? "" : "bert.";
}

std::string bert_attention(std::int64_t layer) {
    return bert_layer(layer) + "attention.";
}

Result<Model> bert_model(std::string_view weights, std::string_view config) {
    auto tensors = read_safetensors(weights);
    if (!tensors) {
        return std::move(tensors).error();
    }
    const auto said = read_bert_config(config);
    return said ? BertWriter(*said, *std::move(tensors)).write() : Result<Model>(said.error());
}

}  // namespace tenrex::onnx
