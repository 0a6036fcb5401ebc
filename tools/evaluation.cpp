#include "tools/evaluation.h"

#include <unordered_set>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

// Who has no schema to declare an input in gives it a value.
Error in_terms_of_values(const Error &error) {
    constexpr std::string_view advice = "declare it in the schema";
    std::vector<Issue> issues = error.issues();
    for (Issue &issue : issues) {
        if (issue.hint.starts_with(advice)) {
            const std::string condition = issue.hint.substr(advice.size());
            issue.hint = "give it a value" + (condition.starts_with(" if ") ? condition : std::string());
        }
    }
    return Error(std::move(issues), error.source_name());
}

// A schema in which all inputs come with the query: what is evaluated once needs no columns.
Result<Schema> schema_of(const std::vector<Input> &inputs, const EvaluationOptions &options) {
    Schema schema;
    for (const Input &input : inputs) {
        declare(schema, Stage::query, input.name, {input.type, input.is_string});
    }
    if (Status status = options.models.declare(schema); !status) {
        return status.error();
    }
    return schema;
}

Error no_value(const std::string &name) {
    return Error(fmt::format("input {} has a type but no value", name), fmt::format("give one: {}=...", name));
}

// The value of a plan all of whose inputs come with the query.
Result<Tensor> evaluate(const Plan &plan, const std::vector<NamedTensor> &values) {
    const auto query = plan.bind(values);
    if (!query) {
        return query.error();
    }
    Context context(plan);
    auto results = query->evaluate_tensors({1, {}}, context);
    return results ? Result<Tensor>(std::move(results->front())) : results.error();
}

// The expression is right: what is left to go wrong are the limits of a plan.
Result<Plan> with_way_out(Result<Plan> plan) {
    if (plan) {
        return plan;
    }
    std::vector<Issue> issues = plan.error().issues();
    for (Issue &issue : issues) {
        if (issue.hint.empty()) {
            issue.hint = "the reference evaluator may manage it: --reference, or :reference on";
        }
    }
    return Error(std::move(issues), plan.error().source_name());
}

}  // namespace

void declare(Schema &schema, Stage stage, const std::string &name, const InputType &type) {
    const auto add = [&](const auto &as) {
        stage == Stage::query ? schema.query(name, as) : schema.document(name, as);
    };
    if (type.is_string) {
        add(string_type);
    } else {
        add(type.tensor);
    }
}

Result<CheckedExpression> check(std::string_view text, const std::vector<Input> &inputs,
                                const EvaluationOptions &options) {
    const auto schema = schema_of(inputs, options);
    if (!schema) {
        return schema.error();
    }
    auto expression = Expression::parse(text, *schema, options);
    if (!expression) {
        return in_terms_of_values(expression.error());
    }
    const std::vector<std::string> names = expression->input_names();
    const std::unordered_set<std::string_view> used(names.begin(), names.end());
    CheckedExpression checked{*std::move(expression), {}, {}, {}};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string &declared = schema->inputs()[i].name;
        if (used.count(declared) == 0) {
            checked.unused.push_back(inputs[i].name);
        } else if (inputs[i].value) {
            checked.values.emplace_back(declared, *inputs[i].value);
        } else {
            checked.without_value.push_back(inputs[i].name);
        }
    }
    return checked;
}

Result<Plan> compile(const CheckedExpression &checked) {
    return with_way_out(tenrex::compile(checked.expression));
}

Result<Plan> plan_for_documents(std::string_view text, const std::vector<Input> &inputs,
                                const EvaluationOptions &options) {
    Schema schema;
    for (const Input &input : inputs) {
        declare(schema, input.name.starts_with("query(") ? Stage::query : Stage::document, input.name,
                {input.type, input.is_string});
    }
    if (const Status status = options.models.declare(schema); !status) {
        return status.error();
    }
    auto expression = Expression::parse(text, schema, options);
    return expression ? with_way_out(tenrex::compile(*expression)) : in_terms_of_values(expression.error());
}

Result<Tensor> evaluate(const Plan &plan, const CheckedExpression &checked) {
    return evaluate(plan, checked.values);
}

Tensor with_text(const CheckedExpression &checked, Tensor value) {
    if (!checked.expression.is_string()) {
        return value;
    }
    const double number = value.as_double();
    for (const std::string &text : checked.expression.strings()) {
        if (string_number(text) == number) {
            return Tensor::string(text);
        }
    }
    for (const auto &[name, input] : checked.values) {
        if (input.is_string() && input.as_double() == number) {
            return input;
        }
    }
    return value;
}

Result<Tensor> evaluate(const CheckedExpression &checked, Engine engine) {
    if (!checked.without_value.empty()) {
        return no_value(checked.without_value.front());
    }
    if (engine == Engine::reference) {
        return checked.expression.evaluate_reference(checked.values);
    }
    const auto plan = compile(checked);
    return plan ? evaluate(*plan, checked) : plan.error();
}

Result<Tensor> evaluate(std::string_view text, const std::vector<Input> &inputs, const EvaluationOptions &options,
                        CompileCache &plans) {
    CompileOptions compile_options;
    compile_options.expression = static_cast<const ExpressionOptions &>(options);
    const auto schema = schema_of(inputs, options);
    if (!schema) {
        return schema.error();
    }
    const auto plan = plans.get(text, *schema, compile_options);
    if (!plan) {
        const auto checked = check(text, inputs, options);
        return checked ? evaluate(*checked, Engine::compiled) : checked.error();
    }
    std::vector<NamedTensor> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string &name = schema->inputs()[i].name;
        if (inputs[i].value) {
            values.emplace_back(name, *inputs[i].value);
            continue;
        }
        for (const InputDeclaration &used : plan->query_inputs()) {
            if (used.name == name) {
                return no_value(inputs[i].name);
            }
        }
    }
    return evaluate(*plan, values);
}

std::optional<Dialect> dialect_from_name(std::string_view name) {
    if (name == "core") {
        return Dialect::core;
    }
    if (name == "java") {
        return Dialect::java;
    }
    return std::nullopt;
}

std::string_view name(Dialect dialect) {
    return dialect == Dialect::core ? "core" : "java";
}

}  // namespace tenrex::tool
