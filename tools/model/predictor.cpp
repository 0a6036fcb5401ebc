#include "tools/model/predictor.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

std::vector<double> numbers(const Tensor &tensor) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
        numbers.push_back(tensor.cell(i));
    }
    return numbers;
}

}  // namespace

Result<Predictor> Predictor::make(const Forest &forest, const PredictorOptions &options) {
    Predictor predictor;
    // Names of features may be anything; those of inputs may not.
    Schema schema;
    for (std::size_t i = 0; i < forest.used_features().size(); ++i) {
        predictor.names_.push_back(fmt::format("f{}", i));
        schema.document(predictor.names_.back());
    }
    schema.forest("model", forest, predictor.names_);
    const std::string_view text = options.raw ? "forest(model).raw" : "forest(model)";
    if (options.reference) {
        auto expression = Expression::parse(text, schema);
        if (!expression) {
            return expression.error();
        }
        predictor.expression_ = *std::move(expression);
        return predictor;
    }
    CompileOptions compile_options;
    compile_options.max_isa = options.isa;
    auto plan = compile(text, schema, compile_options);
    if (!plan) {
        return plan.error();
    }
    auto query = plan->bind({});
    if (!query) {
        return query.error();
    }
    for (const InputDeclaration &input : plan->document_inputs()) {
        std::size_t number = 0;
        std::from_chars(input.name.data() + 1, input.name.data() + input.name.size(), number);
        predictor.columns_.push_back(number);
    }
    predictor.context_.emplace(*plan);
    predictor.query_ = *std::move(query);
    predictor.plan_ = *std::move(plan);
    return predictor;
}

Result<std::vector<std::vector<double>>> Predictor::walk(const std::vector<std::vector<double>> &rows) const {
    std::vector<std::vector<double>> results;
    std::vector<NamedTensor> inputs;
    for (const std::string &name : names_) {
        inputs.emplace_back(name, Tensor(0.0));
    }
    for (const std::vector<double> &row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            inputs[i].second = Tensor(row[i]);
        }
        const auto value = expression_->evaluate_reference(inputs);
        if (!value) {
            return value.error();
        }
        results.push_back(numbers(*value));
    }
    return results;
}

Result<std::vector<std::vector<double>>> Predictor::predict(const std::vector<std::vector<double>> &rows) {
    if (expression_) {
        return walk(rows);
    }
    cells_.resize(rows.size() * columns_.size());
    std::vector<Column> columns;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        double *const cells = cells_.data() + column * rows.size();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            cells[row] = rows[row][columns_[column]];
        }
        columns.push_back(Column::dense(cells, sizeof(double)));
    }
    const auto values = query_->evaluate_tensors({rows.size(), columns}, *context_);
    if (!values) {
        return values.error();
    }
    std::vector<std::vector<double>> results;
    for (const Tensor &value : *values) {
        results.push_back(numbers(value));
    }
    return results;
}

}  // namespace tenrex::tool
