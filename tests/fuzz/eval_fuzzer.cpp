// Any expression over any values (expression NUL name NUL literal ...): evaluation gives a value of the checked type or
// an error, so does what it compiles to; the printed expression gives the same value; the value survives every format.
#include <algorithm>
#include <string>
#include <vector>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

// The bytes of an input's name decide when it is known.
void declare(Schema &schema, const std::string &name, const Tensor &value) {
    unsigned sum = 0;
    for (const char c : name) {
        sum += static_cast<unsigned char>(c);
    }
    switch (sum % 3) {
        case 0:
            schema.document(name, value.type());
            break;
        case 1:
            schema.query(name, value.type());
            break;
        default:
            schema.constant(name, value);
    }
}

// Values are left to tests/differential: for arbitrary expressions a rounding may change everything.
void check_compiled(const Expression &expression, const std::vector<NamedTensor> &inputs) {
    const Result<Plan> plan = compile(expression);
    if (!plan) {
        require(!plan.error().message().empty(), "an error has a message");
        return;
    }
    require(plan->outputs().front().type == expression.type(), "the output is of the checked type");
    require(!plan->explain().empty(), "a plan explains itself");
    constexpr std::size_t documents = 3;
    std::vector<ColumnBuffer> buffers;
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        const auto value = std::find_if(inputs.begin(), inputs.end(),
                                        [&](const NamedTensor &given) { return given.first == input.name; });
        if (value == inputs.end()) {
            return;
        }
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
        for (std::size_t i = 0; i < documents; ++i) {
            require(buffer.append(value->second).has_value(), "a value fits the column of its type");
        }
        columns.push_back(buffer.column());
    }
    const Result<Query> query = plan->bind(inputs);
    if (!query) {
        require(!query.error().message().empty(), "an error has a message");
        return;
    }
    Context context(*plan);
    const Result<std::vector<Tensor>> values = query->evaluate_tensors({documents, columns}, context);
    if (!values) {
        require(!values.error().message().empty(), "an error has a message");
        return;
    }
    for (const Tensor &value : *values) {
        require(value.type() == expression.type(), "a compiled value is of the checked type");
        require(value == values->front(), "equal documents have equal values");
    }
}

}  // namespace

void run(std::string_view bytes) {
    const ExpressionBytes parts = split(bytes);
    const Limits limits = small_limits();
    Schema schema;
    std::vector<NamedTensor> inputs;
    for (const auto &[name, literal] : parts.inputs) {
        if (Result<Tensor> value = from_literal(literal, limits)) {
            declare(schema, std::string(name), *value);
            inputs.emplace_back(std::string(name), *value);
        }
    }
    ExpressionOptions options;
    options.limits = limits;
    const Result<Expression> expression = Expression::parse(parts.expression, schema, options);
    if (!expression) {
        return;
    }
    check_compiled(*expression, inputs);
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
