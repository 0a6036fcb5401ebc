#include "tests/differential/compiled_outputs.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/evaluation.h"
#include "tests/differential/case.h"

namespace tenrex::differential {

using random::RandomExpression;
using random::Source;

Result<CompiledOutputs> CompiledOutputs::make(const RandomExpression &expression,
                                              const std::vector<NamedExpression> &outputs,
                                              const CompileOptions &options, std::uint64_t seed) {
    const Schema schema = expression.schema();
    auto plan =
        outputs.size() == 1 ? compile(outputs.front().text, schema, options) : compile(outputs, schema, options);
    if (!plan) {
        return Error("compiling: " + plan.error().message());
    }
    std::vector<InputValues> inputs;
    for (const InputDeclaration &input : plan->document_inputs()) {
        inputs.emplace_back(input, expression, *plan->labels(), Source(seed ^ 0xC01));
    }
    auto query = plan->bind(expression.values());
    if (!query) {
        return Error("binding: " + query.error().message());
    }
    return CompiledOutputs{*std::move(plan), *std::move(query), std::move(inputs)};
}

Result<std::vector<Tensor>> CompiledOutputs::evaluate(const Block &block, Context &context) const {
    auto tensors = conformance::evaluate_every_way(plan, query, block, context);
    const std::vector<Plan::Output> &all = plan.outputs();
    if (!tensors || all.size() == 1 ||
        !std::all_of(all.begin(), all.end(), [](const Plan::Output &output) { return output.type.is_scalar(); })) {
        return tensors;
    }
    std::vector<std::vector<double>> scores(all.size(), std::vector<double>(block.documents));
    std::vector<std::span<double>> spans(scores.begin(), scores.end());
    if (Status status = query.evaluate(block, context, spans); !status) {
        return status.error();
    }
    for (std::size_t i = 0; i < tensors->size(); ++i) {
        if (!conformance::same_bits(Tensor(scores[i / block.documents][i % block.documents]), (*tensors)[i])) {
            return Error(
                fmt::format("output {} of document {} differs as a score", i / block.documents, i % block.documents));
        }
    }
    return tensors;
}

Result<std::vector<std::vector<Tensor>>> CompiledOutputs::alone(std::size_t documents) const {
    std::vector<std::vector<Tensor>> all;
    for (std::size_t document = 0; document < documents; ++document) {
        Context context(plan);
        const Columns columns(inputs, {&document, 1}, Columns::Layout::packed, Source(0));
        auto values = evaluate(columns.block(), context);
        if (!values) {
            return values.error();
        }
        all.push_back(*std::move(values));
    }
    return all;
}

}  // namespace tenrex::differential
