#include "examples/question_answering/reader.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tenrex::examples {

namespace {

constexpr std::size_t most_tokens = 16;  // of an answer

// The logarithms of the probabilities of tokens first to last.
std::vector<double> log_softmax(const Tensor &logits, std::size_t first, std::size_t last) {
    std::vector<double> result;
    result.reserve(last - first);
    for (std::size_t i = first; i < last; ++i) {
        result.push_back(logits.cell(i));
    }
    const double largest = *std::max_element(result.begin(), result.end());
    double sum = 0;
    for (const double logit : result) {
        sum += std::exp(logit - largest);
    }
    for (double &logit : result) {
        logit -= largest + std::log(sum);
    }
    return result;
}

}  // namespace

Result<Reader> Reader::load(TextModelOptions options) {
    options.expressions = {{"relevance", "sum(onnx(m).logits)"},
                           {"begins", "reduce(onnx(m).start_logits,sum,d0)"},
                           {"ends", "reduce(onnx(m).end_logits,sum,d0)"}};
    auto loaded = TextModel::load(options);
    return loaded ? Result<Reader>(Reader(*std::move(loaded))) : loaded.error();
}

Result<Span> Reader::read(std::string_view question, std::string_view passage, TextModel::Worker &worker) const {
    const auto answer = model_.run(question, passage, worker);
    if (!answer) {
        return answer.error();
    }
    // The tokens of the passage: the second part without the separator at its end.
    const Tokens &tokens = worker.tokens();
    const auto second = std::find(tokens.type_ids.begin(), tokens.type_ids.end(), 1U);
    const auto first = static_cast<std::size_t>(second - tokens.type_ids.begin());
    Span best{answer->values[0].as_double() - 1000, 0, 0};
    if (first + 1 >= tokens.ids.size()) {
        return best;
    }
    const std::size_t last = tokens.ids.size() - 1;
    const std::vector<double> begins = log_softmax(answer->values[1], first, last);
    const std::vector<double> ends = log_softmax(answer->values[2], first, last);
    for (std::size_t begin = 0; begin < begins.size(); ++begin) {
        for (std::size_t end = begin; end < std::min(begin + most_tokens, ends.size()); ++end) {
            const double score = answer->values[0].as_double() + begins[begin] + ends[end];
            if (score > best.score) {
                best = {score, tokens.offsets[first + begin].begin, tokens.offsets[first + end].end};
            }
        }
    }
    return best;
}

}  // namespace tenrex::examples
