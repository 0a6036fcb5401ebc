// Reads a passage for a question: the best span of it, and how sure that is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <tenrex/result.h>

#include "examples/text_model/text_model.h"

namespace tenrex::examples {

struct Span {
    double score = 0;       // relevance of the passage, and the logarithms of how likely begin and end are
    std::size_t begin = 0;  // bytes of the passage
    std::size_t end = 0;
};

// Threads may share it. The model gives onnx(m).logits, the relevance, and onnx(m).start_logits and end_logits of
// tokens.
class Reader {
public:
    // The expressions are the reader's own.
    static Result<Reader> load(TextModelOptions options);
    TextModel::Worker make_worker() const { return TextModel::Worker(model_); }
    Result<Span> read(std::string_view question, std::string_view passage, TextModel::Worker &worker) const;

private:
    explicit Reader(TextModel model) : model_(std::move(model)) {}

    TextModel model_;
};

}  // namespace tenrex::examples
