#include "perf/encoders/encoder.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

namespace tenrex::perf {

Result<Encoder> Encoder::load(const std::string &path, const EncoderOptions &options) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto model = OnnxModel::load(path, {.name = "m", .precision = options.precision});
    if (!model) {
        return model.error();
    }
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        schema.document(input.symbol, input.type);
    }
    model->add_to(schema);
    CompileOptions compiling;
    compiling.weights = std::make_shared<WeightStore>();
    for (const std::string_view pass : optimization_names()) {
        if (!options.is_fused && pass.starts_with("fuse_")) {
            compiling.disabled_passes.emplace_back(pass);
        }
    }
    auto plan = compile("onnx(m).embedding", schema, compiling);
    if (!plan) {
        return plan.error();
    }
    auto query = plan->bind({});
    if (!query) {
        return query.error();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const TensorType &type = plan->outputs().front().type;
    if (type.cell_type() != CellType::f32 || type.has_mapped() || type.has_open()) {
        return Error(fmt::format("'embedding' is a {}, not floats of a known number", type.to_string()));
    }
    Encoder encoder(*std::move(plan), *std::move(query));
    encoder.width_ = type.block_cells();
    encoder.weights_ = compiling.weights;
    encoder.flops_ = model->flops();
    encoder.compile_milliseconds_ = seconds * 1e3;
    return encoder;
}

Texts::Texts(const std::vector<std::vector<double>> &tokens, std::size_t padded_to) {
    for (const std::vector<double> &text : tokens) {
        const std::size_t length = std::max(text.size(), padded_to);
        tokens_.insert(tokens_.end(), text.begin(), text.end());
        mask_.insert(mask_.end(), text.size(), 1);
        tokens_.resize(offsets_.back() + length);
        mask_.resize(offsets_.back() + length);
        offsets_.push_back(offsets_.back() + length);
        if (length > offsets_[longest_ + 1] - offsets_[longest_]) {
            longest_ = offsets_.size() - 2;
        }
    }
    zeros_.resize(tokens_.size());
}

std::vector<Column> Texts::columns(const Plan &plan) const {
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan.document_inputs()) {
        const std::vector<double> &cells = input.name == "input_ids"        ? tokens_
                                           : input.name == "attention_mask" ? mask_
                                                                            : zeros_;
        columns.push_back(Column::ragged(offsets_.data(), cells.data()));
    }
    return columns;
}

Embedding::Embedding(const Encoder &encoder, const Texts &texts, Executor *executor)
    : encoder_(&encoder),
      texts_(texts.count()),
      columns_(texts.columns(encoder.plan())),
      vectors_(texts.count() * encoder.width()),
      context_(executor == nullptr ? Context(encoder.plan()) : Context(encoder.plan(), *executor)) {}

Status Embedding::evaluate(std::size_t first, std::size_t count) {
    const std::size_t size = encoder_->width() * sizeof(float);
    const OutputColumn output = OutputColumn::dense(vectors_.data() + first * encoder_->width(), size, count * size);
    return encoder_->query().evaluate({count, columns_, first}, context_, std::span(&output, 1));
}

Status Embedding::profile(std::span<double> seconds) {
    return encoder_->query().profile({texts_, columns_, 0}, context_, seconds);
}

}  // namespace tenrex::perf
