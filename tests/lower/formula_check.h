// Evaluates a formula on dense cells in blocks of every kind.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/few_cases.h"
#include "tests/conformance/isas.h"

namespace tenrex {

// Enough for vectors of every width, with three documents left over.
inline const std::size_t documents = few_cases() ? 35 : 67;

struct Input {
    std::string name;
    Stage stage;
    std::string type = "double";
};

// The cells of all documents, with or without other bytes between them.
struct Cells {
    std::vector<std::byte> bytes;
    std::size_t stride = 0;

    Cells(const std::vector<Tensor> &values, std::size_t gap, std::size_t shift) {
        const TensorType &type = values.front().type();
        const std::size_t size = type.block_cells() * byte_size(type.cell_type());
        stride = size + gap;
        bytes.resize(shift + stride * values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::memcpy(&bytes[shift + i * stride], values[i].view().cells(), size);
        }
        first = shift;
    }
    Column column(std::size_t document) const {
        return Column::dense(&bytes[first + document * stride], static_cast<std::ptrdiff_t>(stride));
    }
    std::size_t first = 0;
};

inline Tensor random_value(const TensorType &type, std::mt19937 &random) {
    TensorBuilder builder(type);
    builder.block({});
    for (std::size_t i = 0; i < type.block_cells(); ++i) {
        // Halves: conditions are met often.
        builder.set(0, i, static_cast<double>(random() % 25) / 2 - 6);
    }
    return std::move(builder).build();
}

// The values of a query and of the documents, for each input.
struct FormulaValues {
    std::vector<NamedTensor> query;
    std::vector<std::pair<std::string, std::vector<Tensor>>> documents;

    const std::vector<Tensor> &of(const std::string &name) const {
        return std::ranges::find(documents, name, &std::pair<std::string, std::vector<Tensor>>::first)->second;
    }
    std::vector<NamedTensor> of_document(std::size_t number) const {
        std::vector<NamedTensor> values = query;
        for (const auto &[name, tensors] : documents) {
            values.emplace_back(name, tensors[number]);
        }
        return values;
    }
};

inline FormulaValues random_values(const std::vector<Input> &inputs, std::mt19937 random) {
    FormulaValues values;
    for (const Input &input : inputs) {
        const TensorType type = *TensorType::parse(input.type);
        if (input.stage == Stage::query) {
            values.query.emplace_back(input.name, random_value(type, random));
            continue;
        }
        std::vector<Tensor> &tensors = values.documents.emplace_back(input.name, std::vector<Tensor>()).second;
        for (std::size_t i = 0; i < documents; ++i) {
            tensors.push_back(random_value(type, random));
        }
    }
    return values;
}

// The values of all documents; in blocks of every size and columns of every layout they have the same bits.
inline void evaluate_in_blocks(const Plan &plan, const FormulaValues &values, std::vector<Tensor> &alone) {
    const auto query = plan.bind(values.query);
    ASSERT_TRUE(query);
    struct Layout {
        std::size_t gap, shift;
        std::vector<std::size_t> blocks;
    };
    const std::vector<std::size_t> blocks = {1, 2, 15, 17, documents};
    const std::vector<Layout> layouts = few_cases()
                                            ? std::vector<Layout>{{0, 0, {1}}, {24, 0, {15}}, {5, 1, {documents}}}
                                            : std::vector<Layout>{{0, 0, blocks}, {24, 0, blocks}, {5, 1, blocks}};
    for (const auto &[gap, shift, sizes] : layouts) {
        std::vector<Cells> cells;
        for (const InputDeclaration &input : plan.document_inputs()) {
            cells.emplace_back(values.of(input.name), gap, shift);
        }
        for (const std::size_t block : sizes) {
            Context context(plan);
            for (std::size_t first = 0; first < documents; first += block) {
                std::vector<Column> columns;
                for (const Cells &each : cells) {
                    columns.push_back(each.column(first));
                }
                const std::size_t count = std::min(block, documents - first);
                const auto results = query->evaluate_tensors({count, columns}, context);
                ASSERT_TRUE(results);
                for (std::size_t i = 0; i < count; ++i) {
                    const Tensor &result = (*results)[i];
                    if (alone.size() <= first + i) {
                        alone.push_back(result);
                    }
                    const std::size_t bytes = result.cell_count() * byte_size(result.type().cell_type());
                    ASSERT_EQ(std::memcmp(result.view().cells(), alone[first + i].view().cells(), bytes), 0)
                        << "document " << first + i << " in a block of " << block << ", gap " << gap;
                }
            }
        }
    }
}

// Compares what each instruction set gives with the reference evaluator, and all blocks and layouts of columns with
// each other, bit by bit.
inline void check(const std::string &text, const std::vector<Input> &inputs, bool is_region = true) {
    SCOPED_TRACE(text);
    Schema schema;
    for (const Input &input : inputs) {
        if (input.stage == Stage::query) {
            schema.query(input.name, input.type);
        } else {
            schema.document(input.name, input.type);
        }
    }
    const FormulaValues values = random_values(inputs, std::mt19937(static_cast<unsigned>(text.size())));
    const auto expression = Expression::parse(text, schema);
    ASSERT_TRUE(expression);
    std::vector<BoundedTensor> expected;
    for (std::size_t i = 0; i < documents; i += 13) {
        auto value = expression->evaluate_reference_bounded(values.of_document(i));
        ASSERT_TRUE(value);
        expected.push_back(*std::move(value));
    }
    for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
        SCOPED_TRACE(isa);
        CompileOptions options;
        options.max_isa = isa;
        const auto plan = compile(text, schema, options);
        ASSERT_TRUE(plan) << plan.error().message();
        if (is_region) {
            EXPECT_THAT(plan->explain(), testing::HasSubstr("::tile_*"));
        }
        std::vector<Tensor> alone;
        evaluate_in_blocks(*plan, values, alone);
        ASSERT_EQ(alone.size(), documents);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(conformance::difference(alone[13 * i], expected[i]), "") << "document " << 13 * i;
        }
    }
}

}  // namespace tenrex
