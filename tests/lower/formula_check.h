// Evaluates a formula on dense cells in blocks of every kind.
#pragma once

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

namespace tenrex {

inline constexpr std::size_t documents = 67;

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

// Compares with the reference evaluator, and all blocks and layouts of columns with each other, bit by bit.
inline void check(const std::string &text, const std::vector<Input> &inputs, const std::string &isa,
                  bool is_region = true) {
    SCOPED_TRACE(text + " " + isa);
    std::mt19937 random(static_cast<unsigned>(text.size()));
    Schema schema;
    std::vector<NamedTensor> of_query;
    std::vector<std::vector<Tensor>> of_documents;
    for (const Input &input : inputs) {
        const TensorType type = *TensorType::parse(input.type);
        if (input.stage == Stage::query) {
            schema.query(input.name, type);
            of_query.emplace_back(input.name, random_value(type, random));
            continue;
        }
        schema.document(input.name, type);
        of_documents.emplace_back();
        for (std::size_t i = 0; i < documents; ++i) {
            of_documents.back().push_back(random_value(type, random));
        }
    }
    CompileOptions options;
    options.max_isa = isa;
    const auto plan = compile(text, schema, options);
    ASSERT_TRUE(plan) << plan.error().message();
    if (is_region) {
        EXPECT_THAT(plan->explain(), testing::HasSubstr("::tile_*"));
    }
    const auto query = plan->bind(of_query);
    ASSERT_TRUE(query);
    const auto expression = Expression::parse(text, schema);
    ASSERT_TRUE(expression);

    std::vector<std::string> names;
    for (const InputDeclaration &input : plan->document_inputs()) {
        names.push_back(input.name);
    }
    const auto values_of = [&](const std::string &name) -> const std::vector<Tensor> & {
        std::size_t number = 0;
        for (const Input &input : inputs) {
            if (input.name == name) {
                break;
            }
            number += input.stage == Stage::document ? 1 : 0;
        }
        return of_documents[number];
    };
    std::vector<Tensor> alone;
    for (const auto &[gap, shift] : {std::pair<std::size_t, std::size_t>{0, 0}, {24, 0}, {5, 1}}) {
        std::vector<Cells> cells;
        for (const std::string &name : names) {
            cells.emplace_back(values_of(name), gap, shift);
        }
        for (const std::size_t block : {1, 2, 15, 17, 67}) {
            Context context(*plan);
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
    for (std::size_t i = 0; i < documents; i += 13) {
        std::vector<NamedTensor> values = of_query;
        for (const std::string &name : names) {
            values.emplace_back(name, values_of(name)[i]);
        }
        const auto expected = expression->evaluate_reference_bounded(values);
        ASSERT_TRUE(expected);
        EXPECT_EQ(conformance::difference(alone[i], *expected), "") << "document " << i;
    }
}

}  // namespace tenrex
