// Evaluates an expression on values with labels in blocks of several sizes, whether the labels ascend or not.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"

namespace tenrex::sparse_test {

using Random = std::mt19937_64;

// Labels are even numbers below `range`, and texts, in no order; the cells are small whole numbers.
inline Tensor value_of(const TensorType &type, std::size_t blocks, std::uint64_t range, Random &random) {
    TensorBuilder builder(type);
    std::vector<std::string> labels;
    for (std::uint64_t label = 0; label < range; label += 2) {
        labels.push_back(label % 3 == 0 ? "t" + std::to_string(label) : std::to_string(label));
    }
    std::shuffle(labels.begin(), labels.end(), random);
    for (std::size_t i = 0; i < std::min(blocks, labels.size()); ++i) {
        const std::vector<std::string_view> address(type.mapped_count(), labels[i]);
        const std::size_t block = builder.block(address);
        for (std::size_t cell = 0; cell < type.block_cells(); ++cell) {
            builder.set(block, cell, static_cast<double>(random() % 16) - 8);
        }
    }
    return std::move(builder).build();
}

// The documents in the order in which their tensors have the blocks.
struct Unsorted {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Label> labels;
    std::vector<std::byte> cells;

    void append(const Tensor &tensor, LabelTable &table) {
        const TensorView view = tensor.view();
        for (std::size_t block = 0; block < view.blocks(); ++block) {
            for (const Label label : view.address(block)) {
                labels.push_back(is_numeric(label) ? label : table.intern(view.labels()->stored_text(label)));
            }
        }
        const std::size_t bytes = view.cell_count() * byte_size(view.type().cell_type());
        const auto *const begin = static_cast<const std::byte *>(view.cells());
        cells.insert(cells.end(), begin, begin + bytes);
        offsets.push_back(offsets.back() + view.blocks());
    }
};

struct Input {
    std::string name;
    Stage stage;
    std::string type;
    std::uint64_t range = 2000;
    std::size_t blocks = 0;  // of a query or constant
};

// Block for block the same bits in blocks of one document and in larger ones, and what the oracle says.
inline void check(const std::string &expression, const std::vector<Input> &inputs, std::size_t most_blocks) {
    SCOPED_TRACE(expression);
    Random random(most_blocks);
    Schema schema;
    std::vector<NamedTensor> known;
    for (const Input &input : inputs) {
        const TensorType type = *TensorType::parse(input.type);
        if (input.stage == Stage::document) {
            schema.document(input.name, type);
            continue;
        }
        known.emplace_back(input.name, value_of(type, input.blocks, input.range, random));
        if (input.stage == Stage::query) {
            schema.query(input.name, type);
        } else {
            schema.constant(input.name, known.back().second);
        }
    }
    const auto oracle = Expression::parse(expression, schema);
    ASSERT_TRUE(oracle) << oracle.error().render();
    const auto plan = compile(expression, schema);
    ASSERT_TRUE(plan) << plan.error().render();

    constexpr std::size_t documents = 5;
    std::vector<ColumnBuffer> sorted;
    std::vector<Unsorted> unsorted(plan->document_inputs().size());
    for (const InputDeclaration &input : plan->document_inputs()) {
        sorted.emplace_back(input.type, plan->labels());
    }
    std::vector<BoundedTensor> expected;
    for (std::size_t document = 0; document < documents; ++document) {
        std::vector<NamedTensor> values = known;
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const InputDeclaration &input = plan->document_inputs()[i];
            const auto found = std::find_if(inputs.begin(), inputs.end(),
                                            [&](const Input &other) { return other.name == input.name; });
            const std::size_t blocks = document == 0 ? 0 : document == 1 ? most_blocks : random() % (most_blocks + 1);
            values.emplace_back(input.name, value_of(input.type, blocks, found->range, random));
            ASSERT_TRUE(sorted[i].append(values.back().second));
            unsorted[i].append(values.back().second, *plan->labels());
        }
        expected.push_back(*oracle->evaluate_reference_bounded(values));
    }
    const auto query = plan->bind(known);
    ASSERT_TRUE(query) << query.error().render();
    for (const bool in_order : {true, false}) {
        std::vector<Tensor> alone;
        for (const std::size_t size : {std::size_t{1}, std::size_t{3}, documents}) {
            Context context(*plan);
            for (std::size_t first = 0; first < documents; first += size) {
                std::vector<Column> columns;
                for (std::size_t i = 0; i < sorted.size(); ++i) {
                    const Unsorted &own = unsorted[i];
                    columns.push_back(
                        in_order ? sorted[i].column(first)
                                 : Column::sparse(own.offsets.data() + first, own.labels.data(), own.cells.data()));
                }
                const std::size_t count = std::min(size, documents - first);
                const auto values = query->evaluate_tensors({count, columns}, context);
                ASSERT_TRUE(values) << values.error().render();
                for (std::size_t i = 0; i < count; ++i) {
                    const Tensor &value = (*values)[i];
                    EXPECT_EQ(conformance::difference(value, expected[first + i]), "")
                        << "document " << first + i << ", ascending: " << in_order;
                    if (size == 1) {
                        alone.push_back(value);
                    } else {
                        EXPECT_TRUE(conformance::same_bits(value, alone[first + i]))
                            << to_literal(value) << " and alone " << to_literal(alone[first + i]);
                    }
                }
            }
        }
    }
}

// How many steps of the plan say so.
inline std::size_t steps(const std::string &expression, const std::vector<Input> &inputs, std::string_view text) {
    Schema schema;
    for (const Input &input : inputs) {
        if (input.stage == Stage::document) {
            schema.document(input.name, input.type);
        } else {
            schema.query(input.name, input.type);
        }
    }
    const std::string explained = compile(expression, schema)->explain();
    std::size_t count = 0;
    for (std::size_t at = explained.find(text); at != explained.npos; at = explained.find(text, at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace tenrex::sparse_test
