// The conformance vectors on the compiled path: every instruction set, block size, stage of the inputs and disabled
// pass, compared with the reference evaluator, which conformance_test compares with the vectors. Of their combinations
// each takes some of the vectors; with TENREX_FULL_MATRIX set in the environment, all.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/evaluation.h"
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
    for (const auto &[name, literal] : vector.inputs) {
        const auto value = from_literal(literal);
        values.emplace_back(name, *value);
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
    const auto results = conformance::evaluate_every_way(*plan, *query, {variant.documents, columns}, context);
    if (!results) {
        return results.error().message();
    }
    const auto expected = Expression::parse(vector.expression, schema)->evaluate_reference_bounded(values);
    if (!expected) {
        return expected.error().message();
    }
    if (results->size() != variant.documents) {
        return "a result is missing";
    }
    if (std::string difference = conformance::difference(results->front(), *expected); !difference.empty()) {
        return difference + "\n" + plan->explain();
    }
    for (std::size_t i = 1; i < results->size(); ++i) {
        if ((*results)[i] != results->front()) {
            return "document " + std::to_string(i) + " has another value than the first\n" + plan->explain();
        }
    }
    return {};
}

const std::vector<Vector> &vectors() {
    static const std::vector<Vector> all = conformance::read_vectors();
    return all;
}

// Every `step`th vector from `first` on.
void run(const Variant &variant, std::size_t first = 0, std::size_t step = 1) {
    ASSERT_FALSE(vectors().empty());
    std::size_t failures = 0;
    for (std::size_t i = first; i < vectors().size(); i += step) {
        const Vector &vector = vectors()[i];
        const std::string found = problem(vector, variant);
        if (!found.empty() && ++failures <= 10) {
            ADD_FAILURE() << vector.id << ": " << vector.expression << "\n  " << found;
        }
    }
    EXPECT_EQ(failures, 0u) << "of " << vectors().size() / step << " with " << variant.isa << ", without "
                            << variant.disabled_pass << ", " << variant.documents << " documents";
}

TEST(CompiledVectors, OfDocuments) {
    run({"", "", 1, Stage::document});
}

TEST(CompiledVectors, OfQueries) {
    run({"", "", 1, Stage::query});
}

TEST(CompiledVectors, OfConstants) {
    run({"", "", 1, Stage::constant});
}

class CompiledVectorsMatrix : public testing::TestWithParam<std::tuple<const char *, Stage>> {};

TEST_P(CompiledVectorsMatrix, OfBlocksAndPasses) {
    const auto [isa, stage] = GetParam();
    std::vector<std::string> disabled{""};
    for (const std::string_view name : optimization_names()) {
        disabled.emplace_back(name);
    }
    // More passes do not make the test longer.
    const std::size_t step = std::getenv("TENREX_FULL_MATRIX") != nullptr ? 1 : 37 * disabled.size();
    // Neighbouring combinations take other vectors, so that each vector is in some of them.
    std::size_t first = static_cast<std::size_t>(stage) * 17 + std::string_view(isa).size() * 5;
    for (const std::string &pass : disabled) {
        for (const std::size_t documents : {1, 3, 64, 257}) {
            run({isa, pass, documents, stage}, ++first % step, step);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CompiledVectorsMatrix,
                         testing::Combine(testing::Values("baseline", "avx2", "avx512", "native"),
                                          testing::Values(Stage::constant, Stage::query, Stage::document)),
                         [](const auto &test) {
                             return std::string(std::get<0>(test.param)) + "_" +
                                    std::string(name(std::get<1>(test.param)));
                         });

}  // namespace
}  // namespace tenrex
