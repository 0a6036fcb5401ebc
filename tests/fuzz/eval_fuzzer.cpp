// Any expression over any values (expression NUL name NUL literal ...): evaluation gives a value of the checked type or
// an error; the printed expression gives the same value; the value survives every format.
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    const ExpressionBytes parts = split(bytes);
    const Limits limits = small_limits();
    Schema schema;
    std::vector<NamedTensor> inputs;
    for (const auto &[name, literal] : parts.inputs) {
        if (Result<Tensor> value = from_literal(literal, limits)) {
            schema.document(name, value->type());
            inputs.emplace_back(std::string(name), *value);
        }
    }
    ExpressionOptions options;
    options.limits = limits;
    const Result<Expression> expression = Expression::parse(parts.expression, schema, options);
    if (!expression) {
        return;
    }
    const Result<Tensor> value = expression->evaluate_reference(inputs);
    if (!value) {
        require(!value.error().message().empty(), "an error has a message");
        return;
    }
    require(value->type() == expression->type(), "the value is of the checked type");

    options.limits.expression_bytes = std::uint64_t{1} << 30;
    const Result<Expression> printed = Expression::parse(expression->to_string(), schema, options);
    require(printed.has_value(), "the printed expression is valid: " + expression->to_string());
    const Result<Tensor> again = printed->evaluate_reference(inputs);
    require(again.has_value() && *again == *value, "the printed expression means the same: " + expression->to_string());

    const Result<Tensor> from_text = from_literal(to_literal(*value));
    require(from_text && *from_text == *value, "the value survives as a literal");
    const Result<Tensor> from_object = from_json(to_json(*value));
    require(from_object && *from_object == *value, "the value survives as JSON");
    const Result<Tensor> from_bytes = from_binary(to_binary(value->view()));
    require(from_bytes && *from_bytes == *value, "the value survives as bytes");
}

}  // namespace tenrex::fuzz
