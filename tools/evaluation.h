// From the text of an expression and named inputs to a checked expression and its value: what all commands share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/compile_cache.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tools/model/model_table.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

// An input as a command got it: its type at least.
struct Input {
    Input(std::string input_name, InputType declared)
        : name(std::move(input_name)), type(std::move(declared.tensor)), is_string(declared.is_string) {}
    Input(std::string input_name, Tensor given)
        : name(std::move(input_name)), type(given.type()), is_string(given.is_string()), value(std::move(given)) {}

    std::string name;
    TensorType type;
    bool is_string;
    std::optional<Tensor> value;
};

void declare(Schema &schema, Stage stage, const std::string &name, const InputType &type);

struct CheckedExpression {
    Expression expression;
    std::vector<std::string> unused;         // names of inputs that the expression does not mention
    std::vector<NamedTensor> values;         // of the inputs that it does mention
    std::vector<std::string> without_value;  // inputs that it mentions and that have only a type
};

// What an expression is checked with: how it is read, and the models that it may call by their names.
struct EvaluationOptions : ExpressionOptions {
    ModelTable models;
};

// Declares every input and checks the text against them.
Result<CheckedExpression> check(std::string_view text, const std::vector<Input> &inputs,
                                const EvaluationOptions &options);

// Who computes.
enum class Engine {
    compiled,  // a plan, as in production
    reference  // the naive evaluator that plans are tested against
};

// The plan of a checked expression, with all inputs as those of a query. What cannot be compiled is an error that names
// the way out.
Result<Plan> compile(const CheckedExpression &checked);
// The plan of an expression that scores documents: query(...) comes with the query, the other inputs with the document.
Result<Plan> plan_for_documents(std::string_view text, const std::vector<Input> &inputs,
                                const EvaluationOptions &options);
// The value of a plan that compile() gave.
Result<Tensor> evaluate(const Plan &plan, const CheckedExpression &checked);
// The value of an expression that gives strings, as the text of the expression or of an input that it stands for;
// others as they are.
Tensor with_text(const CheckedExpression &checked, Tensor value);
// The value of a checked expression; an input without a value is an error.
Result<Tensor> evaluate(const CheckedExpression &checked, Engine engine);
// The same from the text, with a plan from the cache if there is one.
Result<Tensor> evaluate(std::string_view text, const std::vector<Input> &inputs, const EvaluationOptions &options,
                        CompileCache &plans);

// The dialect of that name ("core", "java").
std::optional<Dialect> dialect_from_name(std::string_view name);
std::string_view name(Dialect dialect);

}  // namespace tenrex::tool
