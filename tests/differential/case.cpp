#include "tests/differential/case.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "tests/conformance/evaluation.h"

namespace tenrex::differential {

using random::Numbers;
using random::RandomExpression;
using random::Source;

Case make_case(const RandomExpression &expression, Numbers numbers, std::size_t documents) {
    Case made{expression.text(), expression.schema(), {expression.values()}};
    while (made.documents.size() < documents) {
        std::vector<NamedTensor> &values = made.documents.emplace_back(made.documents.front());
        std::size_t value = 0;
        for (const random::RandomInput &input : expression.inputs) {
            if (input.stage == Stage::constant) {
                continue;
            }
            Source source(expression.seed * 1000003 + made.documents.size() * 101 + value);
            if (input.stage == Stage::document && source.chance(75)) {
                values[value].second = random::tensor(source, input.value.type(), numbers, 2 + source.below(2));
            }
            ++value;
        }
    }
    return made;
}

void reassign_stages(RandomExpression &expression, Source &source) {
    constexpr Stage stages[] = {Stage::constant, Stage::query, Stage::document, Stage::document};
    for (random::RandomInput &input : expression.inputs) {
        input.stage = source.pick(stages);
    }
}

std::string Settings::to_string() const {
    return fmt::format("instructions {}, without {}{}", isa.empty() ? "of the environment" : isa,
                       disabled_pass.empty() ? "nothing" : disabled_pass,
                       shared_labels ? ", labels of the caller" : "");
}

namespace {

const Tensor &value_of(const std::vector<NamedTensor> &values, const std::string &name) {
    return std::find_if(values.begin(), values.end(), [&](const NamedTensor &value) { return value.first == name; })
        ->second;
}

}  // namespace

std::vector<std::size_t> some_documents(const Case &described, std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) {
        order.push_back(i * 3 % described.documents.size());
    }
    return order;
}

Result<Compiled> Compiled::make(const Case &described, const Settings &settings) {
    CompileOptions options;
    options.max_isa = settings.isa;
    if (!settings.disabled_pass.empty()) {
        options.disabled_passes = {settings.disabled_pass};
    }
    if (settings.evaluation_cells != 0) {
        options.expression.limits.evaluation_cells = settings.evaluation_cells;
    }
    if (settings.shared_labels) {
        options.labels = std::make_shared<LabelTable>();
        options.labels->intern("of another column");
    }
    auto plan = compile(described.text, described.schema, options);
    if (!plan) {
        return std::move(plan).error();
    }
    // First the labels of all documents: a query knows those that the table has when it is bound.
    for (const InputDeclaration &input : plan->document_inputs()) {
        ColumnBuffer buffer(input.type, plan->labels());
        for (const std::vector<NamedTensor> &values : described.documents) {
            if (const Status status = buffer.append(value_of(values, input.name)); !status) {
                return status.error();
            }
        }
    }
    auto query = plan->bind(described.documents.front());
    if (!query) {
        return std::move(query).error();
    }
    Compiled compiled;
    compiled.plan_ = std::make_shared<const Plan>(*std::move(plan));
    compiled.query_ = std::make_shared<const Query>(*std::move(query));
    return compiled;
}

Result<std::vector<ColumnBuffer>> Compiled::columns(const Case &described, std::span<const std::size_t> order) const {
    std::vector<ColumnBuffer> buffers;
    for (const InputDeclaration &input : plan_->document_inputs()) {
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan_->labels());
        for (const std::size_t document : order) {
            if (const Status status = buffer.append(value_of(described.documents[document], input.name)); !status) {
                return status.error();
            }
        }
    }
    return buffers;
}

std::vector<Column> describe(const std::vector<ColumnBuffer> &buffers) {
    std::vector<Column> columns;
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    return columns;
}

Result<std::vector<Tensor>> evaluate(const Compiled &compiled, const Case &described,
                                     std::span<const std::size_t> order, Context &context) {
    const auto buffers = compiled.columns(described, order);
    if (!buffers) {
        return buffers.error();
    }
    const std::vector<Column> columns = describe(*buffers);
    return conformance::evaluate_every_way(compiled.plan(), compiled.query(), {order.size(), columns}, context);
}

namespace {

std::uint64_t number_from_environment(const char *name, std::uint64_t usual) {
    const char *const wanted = std::getenv(name);
    return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

}  // namespace

std::uint64_t seed_count(std::uint64_t usual) {
    return number_from_environment("TENREX_RANDOM_SEEDS", usual);
}

std::uint64_t first_seed() {
    return number_from_environment("TENREX_RANDOM_FIRST", 0);
}

}  // namespace tenrex::differential
