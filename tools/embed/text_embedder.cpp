#include "tools/embed/text_embedder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tenrex/onnx.h>
#include <tenrex/schema.h>

namespace tenrex::tool {

namespace {

struct Vector {
    std::string expression;
    std::uint64_t size = 0;  // its cells
};

bool has_open_dimension(const TensorType &type) {
    const auto &dimensions = type.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension &each) { return each.is_open(); });
}

// Whether an output has a vector for each token, or one that the model has put together itself. Exporters list others,
// too.
bool has_vectors(const OnnxModel::Port &output) {
    return output.type.dimensions().size() == (has_open_dimension(output.type) ? 3U : 2U);
}

// The vector of a text. The schema gets the constants of its layers.
Result<Vector> vector_of_text(const OnnxModel &model, const EmbeddingFolder &folder, const EmbedderOptions &options,
                              Schema &schema) {
    if (model.outputs().empty()) {
        return Error("the model has no output");
    }
    const auto found = std::find_if(model.outputs().begin(), model.outputs().end(), has_vectors);
    if (found == model.outputs().end()) {
        const OnnxModel::Port &first = model.outputs().front();
        return Error(
            fmt::format("the output \"{}\" of the model is {}, but a vector for each token, or of the text, is "
                        "expected",
                        first.name, first.type.to_string()));
    }
    const OnnxModel::Port &output = *found;
    const auto &dimensions = output.type.dimensions();
    const bool has_tokens = has_open_dimension(output.type);
    std::string text = fmt::format("reduce({},sum,d0)", output.symbol);
    std::string last = "d1";
    if (has_tokens) {
        last = "d2";
        text = folder.pooling == Pooling::first
                   ? fmt::format("{}{{d0:0,d1:0}}", output.symbol)
                   : fmt::format("reduce({},{},d0,d1)", output.symbol, folder.pooling == Pooling::mean ? "avg" : "max");
    }
    std::uint64_t size = dimensions.back().size;
    for (std::size_t i = 0; i < folder.layers.size(); ++i) {
        const DenseLayer &layer = folder.layers[i];
        const auto &sides = layer.weights.type().dimensions();  // after and before the layer
        if (sides.back().size != size) {
            return Error(fmt::format("{}: the layer takes vectors of {} cells, but there are {}", layer.path,
                                     sides.back().size, size));
        }
        schema.constant(fmt::format("weights_{}", i), layer.weights);
        schema.constant(fmt::format("bias_{}", i), layer.bias);
        const std::string &inner = sides.back().name;
        text = last == inner ? text : fmt::format("rename({},{},{})", text, last, inner);
        text = fmt::format("{}(sum({}*weights_{},{})+bias_{})", layer.function, text, i, inner, i);
        last = sides.front().name;
        size = sides.front().size;
    }
    if (options.dimensions != 0) {
        if (options.dimensions > size) {
            return Error(fmt::format("vectors of the first {} cells are wanted, but the model gives {}",
                                     options.dimensions, size));
        }
        size = options.dimensions;
        text = fmt::format("tensor<float>({0}[{1}])(({2}){{{0}:({0})}})", last, options.dimensions, text);
    }
    return Vector{folder.normalizes ? fmt::format("l2_normalize({},{})", text, last) : text, size};
}

// Texts are computed together until they have so many: then matrices of weights are in use long enough, and more would
// only take memory.
constexpr std::size_t enough_tokens = 256;

bool is_input_of_texts(std::string_view name) {
    return name == "input_ids" || name == "attention_mask" || name == "token_type_ids";
}

}  // namespace

Result<TextEmbedder> TextEmbedder::make(const EmbeddingFolder &folder, const EmbedderOptions &embedder) {
    const auto model = OnnxModel::load(folder.model, {.name = model_name, .precision = embedder.precision});
    return model ? make(folder, embedder, *model) : Result<TextEmbedder>(model.error());
}

Result<TextEmbedder> TextEmbedder::make(const EmbeddingFolder &folder, const EmbedderOptions &embedder,
                                        const OnnxModel &model) {
    auto tokenizer = Tokenizer::load(folder.tokenizer, {folder.lower_case});
    if (!tokenizer) {
        return tokenizer.error();
    }
    if (folder.vocabulary && *folder.vocabulary < tokenizer->vocabulary_size()) {
        return Error(fmt::format("{}: the tokenizer has {} tokens, the model {}", folder.tokenizer,
                                 tokenizer->vocabulary_size(), *folder.vocabulary),
                     "it is the tokenizer of another model");
    }
    Schema schema;
    for (const OnnxModel::Port &input : model.inputs()) {
        if (!is_input_of_texts(input.name)) {
            return Error(fmt::format("{}: the input \"{}\" is none of an encoder of texts", folder.model, input.name),
                         "inputs are input_ids, attention_mask and token_type_ids");
        }
        schema.document(input.symbol, input.type);
    }
    model.add_to(schema);
    const auto vector = vector_of_text(model, folder, embedder, schema);
    if (!vector) {
        return vector.error();
    }
    CompileOptions options;
    options.max_isa = embedder.isa;
    options.weights = embedder.weights;
    const auto plan = compile(std::vector<NamedExpression>{{"vector", vector->expression}}, schema, options);
    if (!plan) {
        return plan.error();
    }
    auto query = plan->bind({});
    if (!query) {
        return query.error();
    }
    TextEmbedder result(*std::move(tokenizer), *plan, *std::move(query));
    result.size_ = static_cast<std::size_t>(vector->size);
    result.cache_ = embedder.cache;
    result.model_ =
        fmt::format("{}\n{}\n{} {}", folder.model, vector->expression, name(embedder.precision), embedder.isa);
    result.prefix_ = folder.prefix;
    result.max_length_ = folder.max_length;
    return result;
}

Status TextEmbedder::embed(std::span<const std::string> texts, Worker &worker, std::vector<float> &vectors) const {
    TokenizeOptions options;
    options.is_plain_text = true;
    options.max_length = max_length_;
    vectors.assign(texts.size() * size_, 0);
    worker.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        worker.text_.assign(worker.prefix_).append(texts[i]);
        if (Status status = tokenizer_.tokenize(worker.text_, std::nullopt, options, worker.scratch_, worker.tokens_);
            !status) {
            return status;
        }
        worker.cut_texts_ += worker.tokens_.is_truncated ? 1 : 0;
        std::string key = cache_ ? ResponseCache::key(model_, worker.tokens_) : std::string();
        if (!cache_ || !cache_->find(key, std::span(vectors).subspan(i * size_, size_))) {
            worker.add_tokens(i, std::move(key));
        }
        if (worker.ids_.size() >= enough_tokens || i + 1 == texts.size()) {
            if (Status status = evaluate(worker, vectors); !status) {
                return status;
            }
            worker.clear();
        }
    }
    return {};
}

void TextEmbedder::Worker::clear() {
    offsets_.assign(1, 0);
    ids_.clear();
    types_.clear();
    places_.clear();
    keys_.clear();
}

void TextEmbedder::Worker::add_tokens(std::size_t place, std::string key) {
    if (!tokens_.ids.empty()) {
        ids_.insert(ids_.end(), tokens_.ids.begin(), tokens_.ids.end());
        types_.insert(types_.end(), tokens_.type_ids.begin(), tokens_.type_ids.end());
        offsets_.push_back(ids_.size());
        places_.push_back(place);
        keys_.push_back(std::move(key));
    }
}

Status TextEmbedder::evaluate(Worker &worker, std::vector<float> &vectors) const {
    if (worker.places_.empty()) {
        return {};
    }
    worker.ones_.assign(worker.ids_.size(), 1);
    std::vector<Column> columns;
    columns.reserve(plan_.document_inputs().size());
    for (const InputDeclaration &input : plan_.document_inputs()) {
        const std::vector<double> &cells = input.name == "input_ids"        ? worker.ids_
                                           : input.name == "attention_mask" ? worker.ones_
                                                                            : worker.types_;
        columns.push_back(Column::ragged(worker.offsets_.data(), cells.data()));
    }
    worker.found_.resize(worker.places_.size() * size_);
    const OutputColumn outputs[] = {
        OutputColumn::dense(worker.found_.data(), size_ * sizeof(float), worker.found_.size() * sizeof(float))};
    if (Status status = query_.evaluate({worker.places_.size(), columns}, worker.context_, outputs); !status) {
        return status;
    }
    for (std::size_t i = 0; i < worker.places_.size(); ++i) {
        const auto vector = std::span(worker.found_).subspan(i * size_, size_);
        std::copy(vector.begin(), vector.end(),
                  vectors.begin() + static_cast<std::ptrdiff_t>(worker.places_[i] * size_));
        if (cache_) {
            cache_->keep(worker.keys_[i], vector);
        }
    }
    return {};
}

}  // namespace tenrex::tool
