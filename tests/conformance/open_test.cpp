// The vectors over open dimensions, on the reference evaluator.
#include <gtest/gtest.h>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/open_vectors.h"

namespace tenrex {
namespace {

using conformance::OpenVector;

// What is wrong with the answer to the vector; empty if nothing.
std::string judge(const OpenVector &vector) {
    Schema schema;
    std::vector<NamedTensor> named;
    for (const auto &[name, type, literal] : vector.inputs) {
        schema.document(name, type);
        const auto value = from_literal(literal, *TensorType::parse(type));
        if (!value) {
            return "input " + name + " is no literal: " + value.error().message();
        }
        named.emplace_back(name, *value);
    }
    const auto expression = Expression::parse(vector.expression, schema);
    if (!expression) {
        return "rejected: " + expression.error().message();
    }
    if (expression->type().to_string() != TensorType::parse(vector.type)->to_string()) {
        return "the type is " + expression->type().to_string();
    }
    const auto actual = expression->evaluate_reference(named);
    if (!vector.expect) {
        return actual                                                               ? "it should be an error"
               : actual.error().message().find(vector.message) == std::string::npos ? actual.error().message()
                                                                                    : "";
    }
    if (!actual) {
        return "not evaluated: " + actual.error().message();
    }
    if (!actual->type().fits(expression->type())) {
        return "the value is a " + actual->type().to_string();
    }
    return conformance::difference(*actual, *from_literal(*vector.expect), 1e-6);
}

TEST(OpenVectors, ReferenceEvaluator) {
    const std::vector<OpenVector> vectors = conformance::read_open_vectors();
    EXPECT_EQ(vectors.size(), 93u);
    for (const OpenVector &vector : vectors) {
        EXPECT_EQ(judge(vector), "") << vector.id << ": " << vector.expression;
    }
}

}  // namespace
}  // namespace tenrex
