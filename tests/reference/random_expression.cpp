#include "tests/reference/random_expression.h"

#include <algorithm>
#include <optional>

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

Schema RandomExpression::schema() const {
    Schema schema;
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

std::vector<NamedTensor> RandomExpression::values() const {
    std::vector<NamedTensor> values;
    for (const RandomInput &input : inputs) {
        if (input.stage != Stage::constant) {
            values.emplace_back(input.name, input.value);
        }
    }
    return values;
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
    expression.root = maker.piece(maker.type(), options.depth);
    expression.inputs = maker.take_inputs();
    return expression;
}

namespace {

// The inputs that the text still speaks of.
void drop_unused_inputs(RandomExpression &expression) {
    const auto symbols = Expression::symbols(expression.text());
    if (symbols) {
        std::erase_if(expression.inputs, [&](const RandomInput &input) {
            return std::none_of(symbols->begin(), symbols->end(),
                                [&](const SymbolUse &use) { return use.name == input.name; });
        });
    }
}

std::optional<Tensor> value_of(const RandomExpression &expression, const Piece &piece) {
    const auto parsed = Expression::parse(piece.to_string(), expression.schema());
    if (!parsed) {
        return std::nullopt;
    }
    const auto value = parsed->evaluate_reference(expression.values());
    return value ? std::optional(*value) : std::nullopt;
}

// Tries to replace `piece`, a part of expression.root, by an input; then the same with its parts.
void replace_by_inputs(RandomExpression &expression, Piece &piece,
                       const std::function<bool(const RandomExpression &)> &fails) {
    if (&piece != &expression.root && piece.free.empty() && !piece.parts.empty()) {
        if (const auto value = value_of(expression, piece)) {
            const Piece before = piece;
            const std::string name = fmt::format("part{}", expression.inputs.size());
            expression.inputs.push_back({name, Stage::document, *value});
            piece.text = {name};
            piece.parts.clear();
            if (fails(expression)) {
                return;
            }
            piece = before;
            expression.inputs.pop_back();
        }
    }
    for (Piece &part : piece.parts) {
        replace_by_inputs(expression, part, fails);
    }
}

// A part that can stand alone and fails as well.
std::optional<RandomExpression> failing_part(const RandomExpression &expression, const Piece &piece,
                                             const std::function<bool(const RandomExpression &)> &fails) {
    for (const Piece &part : piece.parts) {
        if (part.free.empty() && !part.parts.empty()) {
            RandomExpression smaller{expression.seed, part, expression.inputs};
            if (fails(smaller)) {
                return smaller;
            }
        }
        if (auto smaller = failing_part(expression, part, fails)) {
            return smaller;
        }
    }
    return std::nullopt;
}

// Replaces the parts of `piece`, a part of expression.root, that can be inputs.
void replace_operands(RandomExpression &expression, Piece &piece) {
    for (Piece &part : piece.parts) {
        const auto value = part.free.empty() && !part.parts.empty() ? value_of(expression, part) : std::nullopt;
        if (value) {
            const Piece before = part;
            const std::string name = fmt::format("part{}", expression.inputs.size());
            expression.inputs.push_back({name, Stage::document, *value});
            part.text = {name};
            part.parts.clear();
            if (Expression::parse(expression.text(), expression.schema())) {
                continue;
            }
            // Lambdas see no inputs.
            part = before;
            expression.inputs.pop_back();
        }
        replace_operands(expression, part);
    }
}

void collect_operations(const RandomExpression &expression, const Piece &piece,
                        std::vector<RandomExpression> &operations) {
    if (piece.free.empty() && !piece.parts.empty()) {
        RandomExpression alone{expression.seed, piece, expression.inputs};
        if (Expression::parse(alone.text(), alone.schema())) {
            replace_operands(alone, alone.root);
            drop_unused_inputs(alone);
            operations.push_back(std::move(alone));
        }
    }
    for (const Piece &part : piece.parts) {
        collect_operations(expression, part, operations);
    }
}

}  // namespace

std::vector<RandomExpression> operations(const RandomExpression &expression) {
    std::vector<RandomExpression> all;
    collect_operations(expression, expression.root, all);
    return all;
}

RandomExpression shrink(RandomExpression expression, const std::function<bool(const RandomExpression &)> &fails) {
    while (auto smaller = failing_part(expression, expression.root, fails)) {
        expression = *std::move(smaller);
    }
    replace_by_inputs(expression, expression.root, fails);
    RandomExpression smaller = expression;
    drop_unused_inputs(smaller);
    return fails(smaller) ? smaller : expression;  // the values of other documents depend on all inputs
}

}  // namespace tenrex::random
