// The vectors over open dimensions, on the reference evaluator and compiled.
#include <set>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/open_vectors.h"
#include "tests/conformance/written_outputs.h"

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
    EXPECT_EQ(vectors.size(), 106u);
    for (const OpenVector &vector : vectors) {
        EXPECT_EQ(judge(vector), "") << vector.id << ": " << vector.expression;
    }
}

constexpr std::string_view not_compiled = "is not compiled";

// The same for what is compiled, with the documents all alike. of_query: which inputs come with the query, a bit each.
std::string judge_compiled(const OpenVector &vector, unsigned of_query, std::size_t documents) {
    Schema schema;
    std::vector<NamedTensor> values;
    for (std::size_t i = 0; i < vector.inputs.size(); ++i) {
        const auto &[name, type, literal] = vector.inputs[i];
        (of_query >> i) % 2 != 0 ? schema.query(name, type) : schema.document(name, type);
        values.emplace_back(name, *from_literal(literal, *TensorType::parse(type)));
    }
    const auto plan = compile(vector.expression, schema);
    if (!plan) {
        return plan.error().message();
    }
    std::vector<ColumnBuffer> buffers;
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
        for (const auto &[name, value] : values) {
            for (std::size_t i = 0; i < documents && name == input.name; ++i) {
                if (const Status status = buffer.append(value); !status) {
                    return status.error().message();
                }
            }
        }
    }
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto query = plan->bind(values);
    Context context(*plan);
    const auto results =
        query ? query->evaluate_tensors({documents, columns}, context) : Result<std::vector<Tensor>>(query.error());
    if (!vector.expect) {
        // A size that the expression states has no name.
        return results                                                           ? "it should be an error"
               : results.error().message().find("has size") == std::string::npos ? results.error().message()
                                                                                 : "";
    }
    if (!results) {
        return "not evaluated: " + results.error().message();
    }
    if (std::string found = conformance::difference_as_written(*plan, *query, {documents, columns}, context, *results);
        !found.empty()) {
        return found;
    }
    for (const Tensor &result : *results) {
        if (std::string found = conformance::difference(result, *from_literal(*vector.expect), 1e-6); !found.empty()) {
            return found + "\n" + plan->explain();
        }
    }
    return "";
}

TEST(OpenVectors, Compiled) {
    std::set<std::string> refused;
    for (const OpenVector &vector : conformance::read_open_vectors()) {
        for (unsigned of_query = 0; of_query < 1u << vector.inputs.size(); ++of_query) {
            for (const std::size_t documents : {1, 3}) {
                const std::string found = judge_compiled(vector, of_query, documents);
                if (found.find(not_compiled) != std::string::npos) {
                    refused.insert(vector.expression);
                } else {
                    EXPECT_EQ(found, "") << vector.id << ": " << vector.expression << ", of the query " << of_query;
                }
            }
        }
    }
    // Inputs and results with labels beside an open dimension.
    const std::set<std::string> expected{"a*m", "filter_subspaces(a*m,f(b)(sum(b)>5))"};
    EXPECT_EQ(refused, expected);
}

}  // namespace
}  // namespace tenrex
