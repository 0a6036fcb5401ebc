// Open dimensions, compiled: documents of many lengths in one block against the reference evaluator, in blocks of
// several sizes, on every instruction set.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"

namespace tenrex {
namespace {

constexpr std::size_t lengths[] = {3, 0, 17, 1, 64, 2, 300, 0, 33, 7, 128, 1, 15, 5, 0, 255};

struct OpenInput {
    const char *name;
    const char *type;
    Stage stage;
    std::size_t length = 0;  // of the query's values; documents have those above
};
struct OpenCase {
    const char *expression;
    std::vector<OpenInput> inputs;
};

Tensor random_value(const TensorType &declared, std::size_t length, std::mt19937_64 &random) {
    std::vector<Dimension> dimensions = declared.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension::indexed(dimension.name, length) : dimension;
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
                values.push_back(random_value(type, length, random));
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

void run(const OpenCase &one) {
    const OpenDocuments documents(one);
    for (const char *isa : {"baseline", "avx2", "avx512", "native"}) {
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

constexpr OpenInput tokens{"d", "tensor<float>(t[],x[32])", Stage::document};
constexpr OpenInput query{"q", "tensor<float>(s[],x[32])", Stage::query, 5};
constexpr OpenInput numbers{"n", "tensor(t[])", Stage::document};

TEST(OpenSizes, CellByCell) {
    run({"d*2+exp(d)", {tokens}});
    run({"n*n-n", {numbers}});
    run({"d*n", {tokens, numbers}});
    run({"map(d,f(v)(v*v+1))+n", {tokens, numbers}});
    run({"d*w", {tokens, {"w", "tensor<float>(x[32])", Stage::query}}});
    run({"if(sum(n)>0,n*2,n)", {numbers}});
    run({"cell_cast(d,bfloat16)", {tokens}});
    run({"d", {{"d", "tensor<int8>(h[3],t[],x[5])", Stage::document}}});
    run({"a*d", {{"a", "tensor<bfloat16>(t[])", Stage::document}, {"d", "tensor<int8>(h[3],t[])", Stage::document}}});
}

TEST(OpenSizes, Reductions) {
    for (const char *aggregator : {"sum", "max", "min", "prod", "avg", "count", "median"}) {
        for (const char *over : {"t", "x", "t,x"}) {
            run({("reduce(d," + std::string(aggregator) + "," + over + ")").c_str(),
                 {{"d", "tensor<float>(t[],x[5])", Stage::document}}});
        }
    }
    run({"sum(n)+max(n,t)", {numbers}});
    run({"sum(d*n)", {tokens, numbers}});
    run({"sum(sum(d,t)*sum(d,t))", {tokens}});
}

TEST(OpenSizes, LateInteraction) {
    run({"sum(reduce(sum(q*d,x),max,t),s)", {query, tokens}});
    run({"reduce(sum(q*d,x),max,t)", {query, tokens}});
    run({"sum(exp(reduce(sum(q*d,x),max,t)))", {query, tokens}});
    run({"sum(reduce(sum(q*d,x),max,t),s)", {{"q", "tensor<float>(s{},x[32])", Stage::query}, tokens}});
    run({"sum(reduce(sum(q*d,x),max,t),s)",
         {{"q", "tensor<bfloat16>(s[],x[32])", Stage::query, 7},
          {"d", "tensor<bfloat16>(t[],x[32])", Stage::document}}});
    run({"sum(reduce(sum(q*d,x),max,t),s)",
         {{"q", "tensor<int8>(s[],x[32])", Stage::query, 7}, {"d", "tensor<int8>(t[],x[32])", Stage::document}}});
}

TEST(OpenSizes, ProductsWithWeights) {
    run({"sum(d*w,x)", {tokens, {"w", "tensor<float>(x[32],y[24])", Stage::query}}});
    run({"relu(sum(d*w,x)+b)",
         {tokens, {"w", "tensor<float>(x[32],y[24])", Stage::query}, {"b", "tensor<float>(y[24])", Stage::query}}});
}

TEST(OpenSizes, RowsOfADocumentWithEachOther) {
    run({"softmax(n,t)", {numbers}});
    run({"l2_normalize(d,x)", {tokens}});
    run({"n/sum(n,t)", {numbers}});
    run({"sum(softmax(sum(d*rename(d,t,u),x)*0.1,u)*rename(d,t,u),u)",
         {{"d", "tensor<float>(t[],x[4])", Stage::document}}});
}

TEST(OpenSizes, RowsMove) {
    run({"concat(n,n*2,t)", {numbers}});
    run({"concat(7,d,t)", {tokens}});
    run({"concat(d,d*2,x)", {tokens}});
    run({"rename(d,t,a)", {tokens}});
    run({"d{t:0}+d{t:5}", {tokens}});
    run({"d{t:(i)}", {tokens, {"i", "double", Stage::query}}});
    run({"d{x:3}", {tokens}});
    run({"tensor(y[70])(n{t:(y)})", {numbers}});
    run({"cell_order(n,max)", {numbers}});
    run({"cell_order(n*0,min)", {numbers}});
}

TEST(OpenSizes, BesideLabels) {
    const OpenInput labels{"m", "tensor(k{})", Stage::document};
    run({"sum(n*m,t)", {numbers, labels}});
    run({"sum(n*m,k)", {numbers, labels}});
    run({"sum(map_subspaces(n*m,f(b)(max(b,t))))", {numbers, labels}});
    run({"sum(filter_subspaces(n*m,f(b)(sum(b)>0)))", {numbers, labels}});
}

// Three documents with 2, 1 and 2 rows of a, and with rows of b that are given.
std::string outcome(std::vector<std::uint64_t> offsets_of_b, std::size_t first = 0) {
    Schema schema;
    schema.document("a", "tensor(t[])").document("b", "tensor(t[])");
    const auto plan = compile("sum(a*b)", schema);
    const double cells[] = {1, 2, 3, 4, 5};
    const std::uint64_t offsets_of_a[] = {0, 2, 3, 5};
    const Column columns[] = {Column::ragged(offsets_of_a, cells), Column::ragged(offsets_of_b.data(), cells)};
    const auto bound = plan->bind({});
    Context context(*plan);
    std::vector<double> scores(3 - first);
    std::string text;
    const Status status = bound->evaluate({3 - first, columns, first}, context, scores);
    for (const double score : scores) {
        text += std::to_string(static_cast<int>(score)) + " ";
    }
    return status ? text : status.error().message();
}

TEST(OpenSizes, ADocumentWithOtherSizesIsNamed) {
    EXPECT_EQ(outcome({0, 2, 3, 5}), "5 9 41 ");
    EXPECT_EQ(outcome({0, 2, 3, 5}, 1), "9 41 ");
    EXPECT_EQ(
        outcome({0, 2, 4, 5}),
        "document 1: dimension 't' has size 1 in 'a' and 2 in 'b' (values that are joined must have the same size "
        "there)");
    EXPECT_EQ(
        outcome({0, 2, 3, 3}, 2),
        "document 2: dimension 't' has size 2 in 'a' and 0 in 'b' (values that are joined must have the same size "
        "there)");
}

TEST(OpenSizes, ColumnsMustFit) {
    Schema schema;
    schema.document("a", "tensor(t[])");
    const auto plan = compile("sum(a)", schema);
    const auto bound = plan->bind({});
    Context context(*plan);
    double score = 0;
    const double cells[] = {1, 2};
    const Column dense[] = {Column::dense(cells, sizeof(double))};
    EXPECT_FALSE(bound->evaluate({1, dense}, context, {&score, 1}));
    const std::uint64_t offsets[] = {0, 2};
    const Column without_cells[] = {Column::ragged(offsets, nullptr)};
    EXPECT_FALSE(bound->evaluate({1, without_cells}, context, {&score, 1}));
    const std::uint64_t none[] = {0, 0};
    const Column empty[] = {Column::ragged(none, nullptr)};
    EXPECT_TRUE(bound->evaluate({1, empty}, context, {&score, 1}));
    EXPECT_EQ(score, 0);
    ColumnBuffer buffer(*TensorType::parse("tensor(t[])"), plan->labels());
    EXPECT_FALSE(buffer.append(*from_literal("tensor(u[2]):[1,2]")));
}

TEST(OpenSizes, OutputsAreRowsInMemoryOfTheCaller) {
    Schema schema;
    schema.document("d", "tensor<float>(h[2],t[])");
    const auto plan = compile("concat(d,d*2,t)", schema);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto bound = plan->bind({});
    Context context(*plan);
    const std::uint64_t offsets[] = {0, 1, 1, 3};
    const float rows[] = {1, 2, 3, 4, 5, 6};
    const Column columns[] = {Column::ragged(offsets, rows)};
    std::uint64_t offsets_of_result[4];
    float result[12];
    const OutputColumn outputs[] = {OutputColumn::ragged(offsets_of_result, result, 6)};
    ASSERT_TRUE(bound->evaluate({3, columns}, context, outputs));
    EXPECT_EQ(std::vector<std::uint64_t>(offsets_of_result, offsets_of_result + 4),
              (std::vector<std::uint64_t>{0, 2, 2, 6}));
    EXPECT_EQ(std::vector<float>(result, result + 12), (std::vector<float>{1, 2, 2, 4, 3, 4, 5, 6, 6, 8, 10, 12}));
    const OutputColumn too_few[] = {OutputColumn::ragged(offsets_of_result, result, 5)};
    EXPECT_FALSE(bound->evaluate({3, columns}, context, too_few));
    const OutputColumn dense[] = {OutputColumn::dense(result, sizeof(float), sizeof(result))};
    EXPECT_FALSE(bound->evaluate({3, columns}, context, dense));
}

TEST(OpenSizes, WhatIsNotCompiledSaysSo) {
    Schema schema;
    schema.document("a", "tensor(s[])").document("b", "tensor(t[])").document("k", "tensor(k{},t[])");
    for (const char *expression : {"a*b", "k", "concat(a*b,a*b,t)", "(a*b){t:1}", "cell_order(a*b,max)"}) {
        const auto whole = compile(expression, schema);
        ASSERT_FALSE(whole) << expression;
        EXPECT_NE(whole.error().message().find("is not compiled"), std::string::npos) << whole.error().message();
    }
}

}  // namespace
}  // namespace tenrex
