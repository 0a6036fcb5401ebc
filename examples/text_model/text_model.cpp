#include "examples/text_model/text_model.h"

#include <chrono>

#include <tenrex/onnx.h>
#include <tenrex/schema.h>

namespace tenrex::examples {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

Result<TextModel> TextModel::load(const TextModelOptions &options) {
    auto tokenizer = Tokenizer::load(options.tokenizer);
    if (!tokenizer) {
        return tokenizer.error();
    }
    const auto model = OnnxModel::load(options.model, {.name = "m", .precision = options.precision});
    if (!model) {
        return model.error();
    }
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        schema.document(input.symbol, input.type);
    }
    model->add_to(schema);
    const auto plan = compile(options.expressions, schema);
    if (!plan) {
        return plan.error();
    }
    auto query = plan->bind({});
    if (!query) {
        return query.error();
    }
    return TextModel(*std::move(tokenizer), *plan, *std::move(query), options.max_length);
}

Result<TextModel::Answer> TextModel::run(std::string_view text, std::optional<std::string_view> pair,
                                         Worker &worker) const {
    const auto start = Clock::now();
    TokenizeOptions options;
    options.is_plain_text = true;
    options.offsets = OffsetUnit::bytes;
    options.max_length = max_length_;
    const Tokens &tokens = worker.tokens_;
    if (const Status status = tokenizer_.tokenize(text, pair, options, worker.scratch_, worker.tokens_); !status) {
        return status.error();
    }
    const auto middle = Clock::now();
    worker.ids_.assign(tokens.ids.begin(), tokens.ids.end());
    worker.types_.assign(tokens.type_ids.begin(), tokens.type_ids.end());
    worker.ones_.assign(tokens.ids.size(), 1);
    // One text, as long as it is.
    const std::uint64_t offsets[] = {0, tokens.ids.size()};
    std::vector<Column> columns;
    columns.reserve(plan_.document_inputs().size());
    for (const InputDeclaration &input : plan_.document_inputs()) {
        const std::vector<double> &cells = input.name == "input_ids"        ? worker.ids_
                                           : input.name == "attention_mask" ? worker.ones_
                                                                            : worker.types_;
        columns.push_back(Column::ragged(offsets, cells.data()));
    }
    auto values = query_.evaluate_tensors({1, columns}, worker.context_);
    if (!values) {
        return values.error();
    }
    return Answer{*std::move(values), seconds_between(start, middle), seconds_between(middle, Clock::now())};
}

}  // namespace tenrex::examples
