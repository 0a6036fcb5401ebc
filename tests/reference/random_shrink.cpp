#include "tests/reference/random_shrink.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tests/reference/shrink_values.h"

namespace tenrex::random {

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

// The part as an input of all documents.
std::optional<RandomInput> as_input(const RandomExpression &expression, const Piece &piece) {
    const auto parsed = Expression::parse(piece.to_string(), expression.schema());
    if (!parsed) {
        return std::nullopt;
    }
    RandomInput input{fmt::format("part{}", expression.inputs.size()), Stage::document, {}, {}};
    for (std::size_t document = 0; document < expression.documents(); ++document) {
        auto value = parsed->evaluate_reference(expression.values(document));
        if (!value) {
            return std::nullopt;
        }
        (document == 0 ? input.value : input.others.emplace_back()) = *std::move(value);
    }
    return input;
}

// Tries to replace `piece`, a part of expression.root, by an input; then the same with its parts.
void replace_by_inputs(RandomExpression &expression, Piece &piece,
                       const std::function<bool(const RandomExpression &)> &fails) {
    if (&piece != &expression.root && piece.free.empty() && !piece.parts.empty()) {
        if (auto value = as_input(expression, piece)) {
            const Piece before = piece;
            piece.text = {value->name};
            expression.inputs.push_back(*std::move(value));
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
        auto value = part.free.empty() && !part.parts.empty() ? as_input(expression, part) : std::nullopt;
        if (value) {
            const Piece before = part;
            part.text = {value->name};
            expression.inputs.push_back(*std::move(value));
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
    fewer_documents(expression, fails);
    while (auto smaller = failing_part(expression, expression.root, fails)) {
        expression = *std::move(smaller);
    }
    replace_by_inputs(expression, expression.root, fails);
    RandomExpression smaller = expression;
    drop_unused_inputs(smaller);
    if (fails(smaller)) {  // the values of other documents may depend on all inputs
        expression = std::move(smaller);
    }
    shrink_values(expression, fails);
    return expression;
}

}  // namespace tenrex::random
