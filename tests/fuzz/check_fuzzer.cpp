// Any expression over inputs of any types (expression NUL name NUL type ...): the checker answers with a typed tree or
// with issues that all point into the text, in both dialects.
#include <span>
#include <string>

#include <tenrex/expression.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

Schema schema_of(const ExpressionBytes &parts) {
    Schema schema;
    for (const auto &[name, value] : parts.inputs) {
        if (const Result<TensorType> type = TensorType::parse(value, small_limits())) {
            schema.document(name, *type);
        }
    }
    schema.function("my_function", 2, [](std::span<const double> a) { return a[0] + a[1]; });
    return schema;
}

}  // namespace

void run(std::string_view bytes) {
    const ExpressionBytes parts = split(bytes);
    const Schema schema = schema_of(parts);
    for (const Dialect dialect : {Dialect::core, Dialect::java}) {
        ExpressionOptions options;
        options.dialect = dialect;
        options.limits = small_limits();
        const Result<Expression> expression = Expression::parse(parts.expression, schema, options);
        if (expression) {
            require(expression->type() == *TensorType::parse(expression->type().to_string()), "the type is canonical");
            continue;
        }
        for (const Issue &issue : expression.error().issues()) {
            require(!issue.message.empty(), "an issue has a message");
            require(issue.span.end <= parts.expression.size() || schema.error(), "an issue points into the text");
        }
    }
}

}  // namespace tenrex::fuzz
