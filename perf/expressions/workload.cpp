#include "perf/expressions/workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "tests/conformance/comparison.h"

namespace tenrex::perf {

namespace {

using Random = std::mt19937_64;

double cell_of(const InputRecipe &recipe, Random &random) {
    if (recipe.whole) {
        return static_cast<double>(std::uniform_int_distribution<int>(static_cast<int>(recipe.lowest),
                                                                      static_cast<int>(recipe.highest))(random));
    }
    return std::uniform_real_distribution<double>(recipe.lowest, recipe.highest)(random);
}

Tensor value_of(const InputRecipe &recipe, Random &random) {
    TensorBuilder builder(recipe.type);
    builder.reserve(recipe.blocks());
    std::vector<std::vector<std::string>> labels;
    for (const Dimension &dimension : recipe.type.dimensions()) {
        if (dimension.is_mapped()) {
            const LabelRange range = recipe.labels.at(dimension.name);
            std::vector<std::string> &texts = labels.emplace_back();
            for (std::uint64_t i = 0; i < range.count; ++i) {
                texts.push_back(std::to_string(range.first + i));
            }
            std::shuffle(texts.begin(), texts.end(), random);
        }
    }
    std::vector<std::string_view> address(labels.size());
    for (std::size_t block = 0; block < recipe.blocks(); ++block) {
        std::size_t rest = block;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            address[i] = labels[i][rest % labels[i].size()];
            rest /= labels[i].size();
        }
        const std::size_t number = labels.empty() ? 0 : builder.block(address);
        for (std::size_t cell = 0; cell < recipe.type.block_cells(); ++cell) {
            builder.set(number, cell, cell_of(recipe, random));
        }
    }
    return std::move(builder).build();
}

// What the scores are compared with must not be taken for small where it came out small by chance: the usual size of
// the oracle's numbers counts.
double widened(double tolerance, const Tensor &expected, double usual) {
    if (!expected.type().is_scalar()) {
        return tolerance;
    }
    const double own = std::max(1.0, std::fabs(expected.as_double()));
    return tolerance * std::max(own, usual) / own;
}

}  // namespace

Result<Workload> Workload::make(const Case &described, const WorkloadOptions &options) {
    Workload workload;
    workload.case_ = described;
    workload.documents_ = options.documents;
    Random random(options.seed);
    for (const InputRecipe &input : described.inputs) {
        switch (input.stage) {
            case Stage::constant:
                workload.schema_.constant(input.name, value_of(input, random));
                break;
            case Stage::query:
                workload.schema_.query(input.name, input.type);
                workload.query_values_.emplace_back(input.name, value_of(input, random));
                break;
            case Stage::document:
                workload.schema_.document(input.name, input.type);
                break;
        }
    }
    Result<Expression> expression = Expression::parse(described.expression, workload.schema_);
    if (!expression) {
        return std::move(expression).error();
    }
    // Scores are the first output; a tensor comes second, so that it is computed in full and not copied.
    std::vector<NamedExpression> outputs;
    if (!expression->type().is_scalar()) {
        outputs.push_back({"score", "0"});
    }
    outputs.push_back({"value", described.expression});
    Result<Plan> plan = compile(outputs, workload.schema_, options.compile);
    if (!plan) {
        return std::move(plan).error();
    }
    workload.plan_ = std::make_shared<const Plan>(*std::move(plan));
    for (const InputDeclaration &input : workload.plan_->document_inputs()) {
        workload.buffers_.emplace_back(input.type, workload.plan_->labels());
    }
    for (std::size_t document = 0; document < options.documents; ++document) {
        std::vector<NamedTensor> values;
        for (const InputDeclaration &input : workload.plan_->document_inputs()) {
            const auto recipe = std::find_if(described.inputs.begin(), described.inputs.end(),
                                             [&](const InputRecipe &other) { return other.name == input.name; });
            values.emplace_back(input.name, value_of(*recipe, random));
            if (Status status = workload.buffers_[values.size() - 1].append(values.back().second); !status) {
                return std::move(status).error();
            }
        }
        if (document < options.samples) {
            workload.samples_.push_back(std::move(values));
        }
    }
    Result<Query> query = workload.plan_->bind(workload.query_values_);
    if (!query) {
        return std::move(query).error();
    }
    workload.query_ = std::make_shared<const Query>(*std::move(query));
    return workload;
}

std::vector<Column> Workload::columns(std::size_t first) const {
    std::vector<Column> columns;
    for (const ColumnBuffer &buffer : buffers_) {
        columns.push_back(buffer.column(first));
    }
    return columns;
}

Result<std::vector<double>> all_scores(const Workload &workload, std::size_t block_size) {
    std::vector<double> scores(workload.documents());
    Context context(workload.plan());
    for (std::size_t first = 0; first < scores.size(); first += block_size) {
        const std::size_t count = std::min(block_size, scores.size() - first);
        const std::vector<Column> columns = workload.columns(first);
        const Status status =
            workload.query().evaluate({count, columns}, context, std::span(scores).subspan(first, count));
        if (!status) {
            return status.error();
        }
    }
    return scores;
}

namespace {

std::string compare_with_oracle(const Workload &workload, const Expression &expression) {
    const std::size_t samples = workload.samples().size();
    Context context(workload.plan());
    const std::vector<Column> columns = workload.columns(0);
    const auto actual = workload.query().evaluate_tensors({samples, columns}, context);
    if (!actual) {
        return actual.error().render();
    }
    std::vector<Tensor> expected;
    double squares = 0;
    for (const std::vector<NamedTensor> &document : workload.samples()) {
        std::vector<NamedTensor> values = document;
        values.insert(values.end(), workload.query_values().begin(), workload.query_values().end());
        auto value = expression.evaluate_reference(values);
        if (!value) {
            return value.error().render();
        }
        expected.push_back(*std::move(value));
        squares += expected.back().type().is_scalar() ? std::pow(expected.back().as_double(), 2) : 0;
    }
    const double usual = std::sqrt(squares / static_cast<double>(samples));
    std::vector<Tensor> inputs;
    for (const InputRecipe &input : workload.described().inputs) {
        inputs.push_back(TensorBuilder(input.type).build());
    }
    const double tolerance = conformance::tolerance(workload.described().expression, inputs);
    const std::size_t outputs = workload.plan().outputs().size();
    for (std::size_t i = 0; i < samples; ++i) {
        const std::string text = conformance::difference((*actual)[(outputs - 1) * samples + i], expected[i],
                                                         widened(tolerance, expected[i], usual));
        if (!text.empty()) {
            return fmt::format("document {}: {}", i, text);
        }
    }
    return {};
}

}  // namespace

std::string mistake(const Workload &workload) {
    const auto expression = Expression::parse(workload.described().expression, workload.schema());
    if (!expression) {
        return expression.error().render();
    }
    if (std::string text = compare_with_oracle(workload, *expression); !text.empty()) {
        return text;
    }
    const auto one = all_scores(workload, 1);
    const auto many = all_scores(workload, 64);
    if (!one || !many) {
        return (one ? many : one).error().render();
    }
    for (std::size_t i = 0; i < one->size(); ++i) {
        // The same bits, whether they are a number or not.
        if (std::bit_cast<std::uint64_t>((*one)[i]) != std::bit_cast<std::uint64_t>((*many)[i])) {
            return fmt::format("document {}: {} in a block of one, {} in a block of 64", i, (*one)[i], (*many)[i]);
        }
    }
    return {};
}

}  // namespace tenrex::perf
