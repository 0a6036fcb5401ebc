#include "tests/reference/random_expression.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tests/reference/random_pieces.h"

namespace tenrex::random {

std::string Piece::to_string() const {
    std::string result = text.front();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        result += parts[i].to_string() + text[i + 1];
    }
    return result;
}

void declare_user_functions(Schema &schema) {
    schema.function("user_twice", 1, [](std::span<const double> a) { return a[0] + a[0]; });
    schema.function("user_less", 2, [](std::span<const double> a) { return a[0] - a[1]; });
    schema.function("user_choose", 3, [](std::span<const double> a) { return a[0] > 0 ? a[1] : a[2]; });
}

Schema RandomExpression::schema() const {
    Schema schema;
    if (text().find("user_") != std::string::npos) {
        declare_user_functions(schema);
    }
    for (const RandomInput &input : inputs) {
        switch (input.stage) {
            case Stage::constant:
                schema.constant(input.name, input.value);
                break;
            case Stage::query:
                schema.query(input.name, input.value.type());
                break;
            case Stage::document:
                schema.document(input.name, input.value.type());
                break;
        }
    }
    return schema;
}

std::vector<NamedTensor> RandomExpression::values(std::size_t document) const {
    std::vector<NamedTensor> values;
    for (const RandomInput &input : inputs) {
        if (input.stage != Stage::constant) {
            values.emplace_back(input.name, input.stage == Stage::document ? input.of_document(document) : input.value);
        }
    }
    return values;
}

std::size_t RandomExpression::documents() const {
    std::size_t most = 1;
    for (const RandomInput &input : inputs) {
        most = std::max(most, input.stage == Stage::document ? input.others.size() + 1 : 1);
    }
    return most;
}

std::string RandomExpression::reproducer() const {
    const auto raw = [](const std::string &value) { return fmt::format("R\"~({})~\"", value); };
    std::string test = fmt::format("// seed {}\nEXPECT_TRUE(gives({},\n                  {{", seed, raw(text()));
    for (const RandomInput &input : inputs) {
        test += fmt::format("{{{}, {}}},  // {}\n                   ", raw(input.name), raw(to_literal(input.value)),
                            name(input.stage));
    }
    const auto expression = Expression::parse(text(), schema());
    const auto value = expression ? expression->evaluate_reference(values()) : Result<Tensor>(expression.error());
    return test + fmt::format("}},\n                  {}));\n",
                              raw(value ? to_literal(*value) : "error: " + value.error().message()));
}

RandomExpression random_expression(std::uint64_t seed, const RandomOptions &options) {
    PieceMaker maker(seed, options);
    RandomExpression expression;
    expression.seed = seed;
    expression.root = maker.root();
    expression.inputs = maker.take_inputs();
    return expression;
}

}  // namespace tenrex::random
