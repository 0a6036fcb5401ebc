// The conformance vectors on the compiled path: every instruction set, block size, stage of the inputs and disabled
// pass.
#include <algorithm>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/vectors.h"

namespace tenrex {
namespace {

using conformance::Vector;

struct Variant {
    std::string isa;
    std::string disabled_pass;
    std::size_t documents = 1;
    Stage stage = Stage::document;
};

// What is wrong with the compiled result of a vector, or nothing.
std::string problem(const Vector &vector, const Variant &variant) {
    Schema schema;
    std::vector<NamedTensor> values;
    std::vector<Tensor> tensors;
    for (const auto &[name, literal] : vector.inputs) {
        const auto value = from_literal(literal);
        values.emplace_back(name, *value);
        tensors.push_back(*value);
        if (variant.stage == Stage::constant) {
            schema.constant(name, *value);
        } else if (variant.stage == Stage::query) {
            schema.query(name, value->type());
        } else {
            schema.document(name, value->type());
        }
    }
    CompileOptions options;
    options.max_isa = variant.isa;
    if (!variant.disabled_pass.empty()) {
        options.disabled_passes = {variant.disabled_pass};
    }
    const auto plan = compile(vector.expression, schema, options);
    if (!vector.expect) {
        return plan ? "was accepted" : "";
    }
    if (!plan) {
        return plan.error().message();
    }
    std::vector<ColumnBuffer> buffers;
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        const auto found = std::find_if(values.begin(), values.end(),
                                        [&](const NamedTensor &value) { return value.first == input.name; });
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
        for (std::size_t i = 0; i < variant.documents; ++i) {
            if (const Status status = buffer.append(found->second); !status) {
                return status.error().message();
            }
        }
    }
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto query = plan->bind(values);
    if (!query) {
        return query.error().message();
    }
    Context context(*plan);
    const auto results = query->evaluate_tensors({variant.documents, columns}, context);
    if (!results) {
        return results.error().message();
    }
    const Tensor expected = *from_literal(*vector.expect);
    const double tolerance = conformance::tolerance(vector.expression, tensors);
    for (const Tensor &result : *results) {
        if (std::string difference = conformance::difference(result, expected, tolerance); !difference.empty()) {
            return difference + "\n" + plan->explain();
        }
    }
    return {};
}

void run_all(const Variant &variant, std::size_t step = 1) {
    const std::vector<Vector> vectors = conformance::read_vectors();
    ASSERT_FALSE(vectors.empty());
    std::size_t failures = 0;
    for (std::size_t i = 0; i < vectors.size(); i += step) {
        const std::string found = problem(vectors[i], variant);
        if (!found.empty() && ++failures <= 10) {
            ADD_FAILURE() << vectors[i].id << ": " << vectors[i].expression << "\n  " << found;
        }
    }
    EXPECT_EQ(failures, 0u) << "of " << vectors.size() / step;
}

TEST(CompiledVectors, OfDocuments) {
    run_all({"", "", 1, Stage::document});
}

TEST(CompiledVectors, OfQueries) {
    run_all({"", "", 1, Stage::query});
}

TEST(CompiledVectors, OfConstants) {
    run_all({"", "", 1, Stage::constant});
}

}  // namespace
}  // namespace tenrex
