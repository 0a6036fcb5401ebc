// What expressions make of a text, or of a pair of texts, by a model: a tokenizer, a network, and one plan for texts of
// all lengths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/model_precision.h>
#include <tenrex/plan.h>
#include <tenrex/tokenizer.h>

namespace tenrex::examples {

struct TextModelOptions {
    std::string model;                         // model.safetensors with config.json beside it, or an ONNX file
    std::string tokenizer;                     // tokenizer.json or vocab.txt
    std::vector<NamedExpression> expressions;  // in which the model is onnx(m)
    ModelPrecision precision = ModelPrecision::f32;
    std::size_t max_length = 512;  // of tokens
};

// Threads may share it.
class TextModel {
public:
    // What a thread needs.
    class Worker;

    static Result<TextModel> load(const TextModelOptions &options);

    struct Answer {
        std::vector<Tensor> values;  // of the expressions
        double tokenizer_seconds = 0;
        double model_seconds = 0;
    };
    // Special tokens in a text are read as any other text: what users write is no command.
    Result<Answer> run(std::string_view text, std::optional<std::string_view> pair, Worker &worker) const;

private:
    TextModel(Tokenizer tokenizer, Plan plan, Query query, std::size_t max_length)
        : tokenizer_(std::move(tokenizer)), plan_(std::move(plan)), query_(std::move(query)), max_length_(max_length) {}

    Tokenizer tokenizer_;
    Plan plan_;
    Query query_;
    std::size_t max_length_;
};

class TextModel::Worker {
public:
    explicit Worker(const TextModel &model) : context_(model.plan_) {}
    // Of the last text.
    const Tokens &tokens() const noexcept { return tokens_; }

private:
    friend class TextModel;
    Context context_;
    TokenizerScratch scratch_;
    Tokens tokens_;
    std::vector<double> ids_, types_, ones_;
};

}  // namespace tenrex::examples
