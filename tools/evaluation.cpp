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

}  // namespace

Result<CheckedExpression> check(std::string_view text, const std::vector<Input> &inputs,
                                const ExpressionOptions &options) {
    Schema schema;
    for (const Input &input : inputs) {
        schema.document(input.name, input.type);
    }
    if (schema.error()) {
        return *schema.error();
    }
    auto expression = Expression::parse(text, schema, options);
    if (!expression) {
        return in_terms_of_values(expression.error());
    }
    const std::vector<std::string> names = expression->input_names();
    const std::unordered_set<std::string_view> used(names.begin(), names.end());
    CheckedExpression checked{*std::move(expression), {}, {}, {}};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string &declared = schema.inputs()[i].name;
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

Result<Tensor> evaluate(const CheckedExpression &checked) {
    if (!checked.without_value.empty()) {
        const std::string &name = checked.without_value.front();
        return Error(fmt::format("input {} has a type but no value", name), fmt::format("give one: {}=...", name));
    }
    return checked.expression.evaluate_reference(checked.values);
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
