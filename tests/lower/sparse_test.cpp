// Values with labels on the compiled path, whether the labels of the documents ascend or not.
#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"

namespace tenrex::sparse_test {
namespace {

using Random = std::mt19937_64;

// Labels are even numbers below `range`, and texts, in no order; the cells are small whole numbers.
Tensor value_of(const TensorType &type, std::size_t blocks, std::uint64_t range, Random &random) {
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
void check(const std::string &expression, const std::vector<Input> &inputs, std::size_t most_blocks) {
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
                        EXPECT_EQ(to_literal(value), to_literal(alone[first + i]));
                    }
                }
            }
        }
    }
}

TEST(Sparse, BlocksOfOneLabel) {
    for (const std::string type : {"float", "double", "int8"}) {
        for (const std::size_t wanted : {0, 1, 2}) {
            const std::string one = "tensor<" + type + ">(k{})";
            const std::string blocks = "tensor<" + type + ">(k{},x[5])";
            // Of 30 labels: some documents have the one that is wanted.
            check("sum(q*d,k)", {{"q", Stage::query, one, 30, wanted}, {"d", Stage::document, blocks, 30}}, 25);
            check("sum(q*d,k)", {{"q", Stage::query, blocks, 30, wanted}, {"d", Stage::document, one, 30}}, 25);
            check("sum(q*d,k)", {{"q", Stage::constant, one, 30, wanted}, {"d", Stage::document, blocks, 30}}, 25);
        }
    }
}

TEST(Sparse, DotProductsOfFewLabelsAndMany) {
    for (const std::size_t wanted : {0, 1, 19, 300}) {
        for (const std::string type : {"tensor<float>(k{})", "tensor(k{})", "tensor<int8>(k{})"}) {
            check("sum(q*d)", {{"q", Stage::query, type, 2000, wanted}, {"d", Stage::document, "tensor<float>(k{})"}},
                  700);
        }
    }
    check("sum(q*d)", {{"q", Stage::document, "tensor(k{})", 200}, {"d", Stage::document, "tensor(k{})", 200}}, 90);
    check("sum(q*d)",
          {{"q", Stage::constant, "tensor(i{},k{})", 90, 30}, {"d", Stage::document, "tensor(i{},k{})", 90}}, 40);
    // Cells of the query with the labels of a constant.
    check("sum(q*(sum(q)*w))*sum(d)+sum(d*(sum(q)*w))",
          {{"q", Stage::query, "tensor<float>(k{})", 90, 30},
           {"w", Stage::constant, "tensor<int8>(k{})", 90, 20},
           {"d", Stage::document, "tensor<float>(k{})", 90}},
          40);
}

TEST(Sparse, JoinsAndMerges) {
    const std::vector<std::string> expressions = {"a*b",
                                                  "merge(a,b,f(x,y)(x-2*y))",
                                                  "merge(b,a,f(x,y)(x-2*y))",
                                                  "merge(a,b,f(x,y)(y))",
                                                  "merge(a,a+1,f(x,y)(x-y))",
                                                  "reduce(merge(a,b,f(x,y)(x+y)),sum,k)"};
    for (const std::string &expression : expressions) {
        for (const Stage stage : {Stage::query, Stage::document, Stage::constant}) {
            for (const std::string type : {"tensor<float>(k{})", "tensor(k{})", "tensor<float>(k{},x[3])"}) {
                check(expression, {{"a", stage, type, 80, 20}, {"b", Stage::document, type, 80}}, 30);
            }
            check(expression, {{"a", stage, "tensor(i{},k{})", 80, 20}, {"b", Stage::document, "tensor(i{},k{})", 80}},
                  30);
        }
    }
    check("a*b", {{"a", Stage::query, "tensor(k{})", 80, 20}, {"b", Stage::document, "tensor(i{},k{})", 80}}, 30);
    check("a*b", {{"a", Stage::query, "tensor(i{})", 80, 20}, {"b", Stage::document, "tensor<float>(i{},k{})", 80}},
          30);
}

// How many steps of the plan say so.
std::size_t steps(const std::string &expression, const std::vector<Input> &inputs, std::string_view text) {
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

// What has been joined, filtered or grouped is not joined again with what it was made of.
TEST(Sparse, JoinsOnce) {
    for (const Stage stage : {Stage::query, Stage::document}) {
        for (const std::string type : {"tensor<float>(k{})", "tensor(k{},x[3])"}) {
            const std::vector<Input> inputs = {{"q", stage, type, 90, 20}, {"d", Stage::document, type, 90}};
            for (const std::string expression : {"q*d/(d+2)", "(d+2)-q*d", "q*d*(q+d)+d", "sum(q*d/(d+2))",
                                                 "(q-d)*filter_subspaces(q*d,f(x)(reduce(x,sum)>0))", "q*d+q-2*d"}) {
                check(expression, inputs, 60);
                EXPECT_EQ(steps(expression, inputs, "join of addresses"), 1) << expression;
            }
        }
        const std::vector<Input> inputs = {{"q", stage, "tensor(i{},k{})", 90, 20},
                                           {"d", Stage::document, "tensor(i{},k{})", 90}};
        check("q*d/reduce(q*d,max,i)*reduce(d,sum,k)", inputs, 60);
        EXPECT_EQ(steps("q*d/reduce(q*d,max,i)*reduce(d,sum,k)", inputs, "join of addresses"), 1);
        check("d*rename(reduce(d,max,i),k,i)", inputs, 60);
        EXPECT_EQ(steps("d*rename(reduce(d,max,i),k,i)", inputs, "join of addresses"), 1);
        EXPECT_EQ(steps("d*reduce(d,max,i)", inputs, "join of addresses"), 0);
    }
}

// Joins that are reduced at once: labels of either operand, or of both, may be left.
TEST(Sparse, ReductionsOfJoins) {
    struct Types {
        std::string a, b;
        std::vector<std::string> over;
    };
    const std::vector<Types> all = {
        {"(k{})", "(k{})", {"k"}},
        {"(i{},k{})", "(k{})", {"k", "i", "i,k"}},
        {"(i{},k{})", "(j{},k{})", {"k", "i,k", "j,k", "j", "i,j,k"}},
        {"(i{})", "(k{})", {"i", "k", "i,k"}},
        {"(i{},k{},x[3])", "(k{},x[3])", {"k", "k,x", "i,k,x", "i"}},
        {"(k{},x[3])", "(i{},k{},y[2])", {"k", "k,x", "k,y", "i,k"}},
        {"(k{},x[5])", "(k{})", {"k", "k,x"}},
        {"(i{},k{},x[2],y[3],z[2])", "(k{},y[3])", {"k", "k,y", "k,x", "k,z", "i,k,x,z"}},
    };
    std::size_t kind = 0;
    for (const auto &[a, b, over] : all) {
        for (const std::string &dimensions : over) {
            for (const Stage stage : {Stage::query, Stage::document}) {
                constexpr const char *functions[] = {"a*b", "a*b", "b-a", "max(a,b)", "a>b", "a+b"};
                constexpr const char *aggregators[] = {"sum", "avg", "max", "min", "count", "prod"};
                constexpr const char *cells[] = {"<float>", "", "<int8>"};
                for (std::size_t i = 0; i < std::size(functions); ++i, ++kind) {
                    const std::string type = std::string("tensor") + cells[kind % 3];
                    const std::string expression =
                        std::string("reduce(") + functions[i] + "," + aggregators[i] + "," + dimensions + ")";
                    const std::vector<Input> inputs = {{"a", stage, type + a, 24, 9},
                                                       {"b", Stage::document, type + b, 24}};
                    check(expression, inputs, 10);
                    // Sums are contractions, and what has no label in common is counted one by one.
                    const bool is_reduced_join = expression.find("sum") == expression.npos &&
                                                 (expression.find("count") == expression.npos || a != "(i{})");
                    if (is_reduced_join) {
                        EXPECT_EQ(steps(expression, inputs, std::string(aggregators[i]) + " of a join"), 1);
                    }
                    check(expression, {{"a", Stage::document, type + a, 24}, {"b", stage, type + b, 24, 9}}, 10);
                }
            }
        }
    }
    // Many groups, and a join that is known already.
    for (const Stage stage : {Stage::query, Stage::document}) {
        check("reduce(a*b,sum,i)",
              {{"a", stage, "tensor(i{})", 200, 40}, {"b", Stage::document, "tensor(i{},k{})", 200}}, 60);
        const std::vector<Input> inputs = {{"a", stage, "tensor<float>(k{})", 90, 20},
                                           {"b", Stage::document, "tensor<float>(k{},x[3])", 90}};
        check("reduce(b*(a*b),sum,k)", inputs, 60);
        check("reduce(a*b,max)+reduce(b-a,max)", inputs, 60);
    }
}

// The blocks are rows of whole vectors, which tiles have, or not. Some documents have the same labels in both values.
TEST(Sparse, RowsBesideANumberOfTheirLabel) {
    for (const std::string blocks : {"(k{},x[16])", "(k{},x[4],y[8])", "(k{},x[2064])", "(k{},x[17])"}) {
        for (const std::string cells : {"<float>", "", "<int8>"}) {
            for (const std::string expression :
                 {"reduce(a*b,sum)", "reduce(b-a,max)", "reduce(a-b,max,k)", "reduce(b*a,prod,k)", "reduce(a>b,sum,k)",
                  "reduce(a-b,min,x)", "a*b", "b-a"}) {
                const std::string own = "tensor" + cells;
                check(expression, {{"a", Stage::document, own + blocks, 20}, {"b", Stage::document, own + "(k{})", 20}},
                      10);
                check(expression,
                      {{"a", Stage::query, own + blocks, 20, 10}, {"b", Stage::document, own + "(k{})", 20}}, 10);
            }
        }
    }
    const std::vector<Input> inputs = {{"a", Stage::document, "tensor(k{},x[16])", 200},
                                       {"b", Stage::document, "tensor(k{})", 200}};
    check("reduce(a-b,max,x)", inputs, 100);
    check("reduce(a-b,max)", inputs, 100);
}

TEST(Sparse, AllCellsOfADocument) {
    for (const std::string cells : {"", "<float>", "<bfloat16>", "<int8>"}) {
        for (const std::string dimensions : {"(k{})", "(k{},x[3])"}) {
            const std::vector<Input> inputs = {{"d", Stage::document, "tensor" + cells + dimensions, 200}};
            for (const std::string aggregator : {"sum", "avg", "max", "min", "count"}) {
                const std::string expression = "reduce(d," + aggregator + ")";
                check(expression, inputs, 90);
                EXPECT_EQ(steps(expression, inputs, aggregator + " of all blocks"), 1) << expression;
            }
            check("reduce(d,median)", inputs, 90);
            for (const std::string expression : {"sum(d*d)", "sum(d*(d+1))", "sqrt(sum(map(d,f(x)(x*x))))"}) {
                check(expression, inputs, 90);
                EXPECT_EQ(steps(expression, inputs, "dot product of all blocks"), 1) << expression;
            }
        }
    }
}

TEST(Sparse, SumsOfBlocksWithWeights) {
    for (const std::size_t known : {0, 1, 2, 20}) {
        for (const std::string cells : {"", "<float>", "<bfloat16>"}) {
            const std::string blocks = "tensor" + cells + "(k{},x[5])";
            for (const Stage stage : {Stage::query, Stage::document, Stage::constant}) {
                check("reduce(d*q,sum,k)",
                      {{"d", Stage::document, blocks, 90}, {"q", stage, "tensor<float>(k{})", 90, known}}, 60);
                check("reduce(d*q,sum,k)",
                      {{"d", Stage::document, "tensor<float>(k{})", 90}, {"q", stage, blocks, 90, known}}, 60);
            }
        }
    }
    check("reduce(d*q,sum,i,k)",
          {{"d", Stage::document, "tensor(i{},k{},x[2],y[3])", 90}, {"q", Stage::query, "tensor(i{},k{})", 90, 30}},
          40);
}

TEST(Sparse, PeeksAtKnownLabels) {
    for (const std::string type :
         {"tensor<float>(k{})", "tensor(k{})", "tensor<int8>(k{})", "tensor<float>(k{},x[3])"}) {
        for (const std::string label : {"4", "t6", "1", "none"}) {
            check("d{k:" + label + "}", {{"d", Stage::document, type, 40}}, 20);
            check("d{k:" + label + "}", {{"d", Stage::document, type, 200}}, 99);
        }
    }
    check("d{k:4,x:2}", {{"d", Stage::document, "tensor<float>(k{},x[3])", 40}}, 20);
}

TEST(Sparse, CellsOfOtherLabelsAreNotRead) {
    Schema schema;
    schema.query("q", *TensorType::parse("tensor(k{})")).document("d", *TensorType::parse("tensor(k{})"));
    const auto plan = compile("sum(q*d)", schema);
    ASSERT_TRUE(plan);
    std::vector<Label> labels;
    std::vector<double> cells;
    for (std::uint64_t i = 0; i < 100; ++i) {
        labels.push_back(numeric_label(2 * i));
        cells.push_back(i == 7 ? 3 : std::numeric_limits<double>::infinity());
    }
    const auto query = plan->bind({{"q", *from_literal("tensor(k{}):{14:2,15:0,-1:0}")}});
    ASSERT_TRUE(query);
    const std::uint64_t offsets[] = {0, 100};
    Context context(*plan);
    for (const bool sorted : {false, true}) {
        const Column columns[] = {Column::sparse(offsets, labels.data(), cells.data(), sorted)};
        double score = 0;
        ASSERT_TRUE(query->evaluate({1, columns}, context, {&score, 1}));
        EXPECT_EQ(score, 6);
    }
}

}  // namespace
}  // namespace tenrex::sparse_test
