#include "tests/differential/open_documents.h"
#include "tests/conformance/isas.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"

namespace tenrex {
namespace {

constexpr std::size_t lengths[] = {3, 0, 17, 1, 64, 2, 300, 0, 33, 7, 128, 1, 15, 5, 0, 255};

// Of dimensions from u on. A value has no index in one of them only if it has none in the others.
constexpr std::size_t other_length(std::size_t length) {
    return length == 0 ? 0 : length % 5 + 1;
}

Tensor random_value(const TensorType &declared, std::size_t length, std::mt19937_64 &random) {
    std::vector<Dimension> dimensions = declared.dimensions();
    for (Dimension &dimension : dimensions) {
        if (dimension.is_open()) {
            dimension = Dimension::indexed(dimension.name, dimension.name < "u" ? length : other_length(length));
        }
    }
    TensorBuilder builder(declared.is_scalar() ? TensorType()
                                               : *TensorType::make(declared.cell_type(), std::move(dimensions)));
    const std::string_view labels[] = {"a", "b", "c"};
    const std::size_t blocks = declared.has_mapped() ? 3 : 1;
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t block = builder.block(std::span(labels + i, declared.mapped_count()));
        for (std::size_t cell = 0; cell < builder.type().block_cells(); ++cell) {
            builder.set(block, cell, std::uniform_real_distribution<double>(-2, 2)(random));
        }
    }
    return std::move(builder).build();
}

// The values of all documents, and the plan's results for them.
class OpenDocuments {
public:
    explicit OpenDocuments(const OpenCase &of) {
        std::mt19937_64 random(std::hash<std::string_view>{}(of.expression));
        for (const OpenInput &input : of.inputs) {
            const TensorType type = *TensorType::parse(input.type);
            const bool of_query = input.stage == Stage::query;
            of_query ? schema_.query(input.name, type) : schema_.document(input.name, type);
            if (of_query) {
                query_.emplace_back(input.name, random_value(type, input.length, random));
                continue;
            }
            std::vector<Tensor> &values = documents_.emplace_back(input.name, std::vector<Tensor>()).second;
            for (const std::size_t length : lengths) {
                values.push_back(random_value(type, std::min(length, of.longest), random));
            }
        }
    }

    Result<std::vector<Tensor>> evaluate(const char *expression, const char *isa, std::size_t block) const {
        CompileOptions options;
        options.max_isa = isa;
        const auto plan = compile(expression, schema_, options);
        if (!plan) {
            return plan.error();
        }
        std::vector<ColumnBuffer> buffers;
        for (const InputDeclaration &input : plan->document_inputs()) {
            ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
            for (const Tensor &value : values_of(input.name)) {
                if (const Status status = buffer.append(value); !status) {
                    return status.error();
                }
            }
        }
        std::vector<Column> columns;
        for (const ColumnBuffer &buffer : buffers) {
            columns.push_back(buffer.column());
        }
        const auto query = plan->bind(query_);
        if (!query) {
            return query.error();
        }
        Context context(*plan);
        std::vector<Tensor> all;
        for (std::size_t first = 0; first < std::size(lengths); first += block) {
            const std::size_t count = std::min(block, std::size(lengths) - first);
            auto some = query->evaluate_tensors({count, columns, first}, context);
            if (!some) {
                return some.error();
            }
            all.insert(all.end(), some->begin(), some->end());
        }
        return all;
    }

    Result<BoundedTensor> expected(const char *expression, std::size_t document) const {
        std::vector<NamedTensor> values = query_;
        for (const auto &[name, all] : documents_) {
            values.emplace_back(name, all[document]);
        }
        return Expression::parse(expression, schema_)->evaluate_reference_bounded(values);
    }

private:
    const std::vector<Tensor> &values_of(const std::string &name) const {
        return std::find_if(documents_.begin(), documents_.end(), [&](const auto &one) { return one.first == name; })
            ->second;
    }

    Schema schema_;
    std::vector<NamedTensor> query_;
    std::vector<std::pair<std::string, std::vector<Tensor>>> documents_;
};

}  // namespace

void compare_open(const OpenCase &one) {
    const OpenDocuments documents(one);
    for (const char *isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
        const auto together = documents.evaluate(one.expression, isa, std::size(lengths));
        ASSERT_TRUE(together) << one.expression << ": " << together.error().message();
        ASSERT_EQ(together->size(), std::size(lengths));
        for (std::size_t i = 0; i < std::size(lengths); ++i) {
            const auto expected = documents.expected(one.expression, i);
            ASSERT_TRUE(expected) << expected.error().message();
            EXPECT_EQ(conformance::difference((*together)[i], *expected), "")
                << one.expression << " with " << isa << ", length " << lengths[i];
        }
        for (const std::size_t block : {1, 3, 7}) {
            const auto apart = documents.evaluate(one.expression, isa, block);
            ASSERT_TRUE(apart) << apart.error().message();
            EXPECT_EQ(*apart, *together) << one.expression << " with " << isa << " in blocks of " << block;
        }
    }
}

}  // namespace tenrex
