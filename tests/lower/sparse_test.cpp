// Values with labels on the compiled path, whether the labels of the documents ascend or not.
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/lower/sparse_check.h"

namespace tenrex::sparse_test {
namespace {

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

// Joins with joins, with what a filter left and with groups: of all of these the labels may ascend, or not.
TEST(Sparse, ChainsOfJoins) {
    for (const std::string cells : {"<float>", "", "<int8>"}) {
        const std::string one = "tensor" + cells + "(k{})";
        for (const Stage stage : {Stage::query, Stage::document}) {
            for (const std::size_t wanted : {1, 9, 30}) {
                const std::vector<Input> inputs = {{"a", Stage::document, one, 40},
                                                   {"b", stage, one, 40, wanted},
                                                   {"c", Stage::document, one, 40},
                                                   {"t", Stage::document, "tensor" + cells + "(i{},k{})", 40}};
                for (const std::string expression :
                     {"a*b*c", "b*a*c", "sum(a*b*c)", "max(b*c*a)", "filter_subspaces(a,f(x)(x>0))*c*b",
                      "merge(a,c,f(x,y)(x-y))*b", "reduce(t,max,i)*a", "sum(reduce(t,sum,i)*b*c)"}) {
                    check(expression, inputs, 25);
                }
            }
        }
    }
}

// Under fewer labels than a value has, of which there may be many.
TEST(Sparse, AggregatesOfGroups) {
    for (const std::string type : {"tensor<float>", "tensor", "tensor<bfloat16>"}) {
        for (const char *aggregator : {"sum", "avg", "max", "min", "count", "prod", "median"}) {
            for (const auto &[dimensions, over] :
                 {std::pair("(i{},k{})", "i"), std::pair("(i{},k{})", "k"), std::pair("(i{},j{},k{})", "j"),
                  std::pair("(i{},j{},k{})", "i,k"), std::pair("(i{},k{},x[3])", "k")}) {
                const std::string expression = std::string("reduce(a,") + aggregator + "," + over + ")";
                check(expression, {{"a", Stage::document, type + dimensions, 24}}, 40);
                check(expression, {{"a", Stage::document, type + dimensions, 300}}, 250);
                check("sum(" + expression + "*b)",
                      {{"a", Stage::document, type + dimensions, 24}, {"b", Stage::query, type + "(k{})", 24, 9}}, 40);
            }
        }
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

// A value for each label that the documents share, beside labels of their own.
TEST(Sparse, CopiesOfWhatDocumentsShare) {
    const std::string scores = "sum(w*sum(d,m),x)";
    for (const Stage stage : {Stage::query, Stage::constant}) {
        for (const std::size_t known : {0, 1, 2, 3, 40}) {
            for (const std::string cells : {"<float>", ""}) {
                const auto inputs = [&](const std::string &shared, const std::string &own) {
                    return std::vector<Input>{{"w", stage, "tensor" + cells + shared, 90, known},
                                              {"d", Stage::document, "tensor<float>(m{},x[5])", 90},
                                              {"c", Stage::document, "tensor" + cells + own, 90}};
                };
                for (const std::string &expression :
                     {"sum(" + scores + "*c)", "reduce(c-" + scores + ",max)", scores + "*c", scores + "-c",
                      "merge(" + scores + ",c,f(a,b)(a-2*b))", "merge(c," + scores + ",f(a,b)(a-2*b))",
                      "sum(" + scores + "*c)+sum(" + scores + "*" + scores + ")"}) {
                    check(expression, inputs("(k{},x[5])", "(k{})"), 50);
                }
                for (const std::string over : {"k", "i", "i,k"}) {
                    check("reduce(" + scores + "*c,sum," + over + ")", inputs("(k{},x[5])", "(i{},k{})"), 30);
                    check("reduce(c-" + scores + ",max," + over + ")", inputs("(i{},k{},x[5])", "(k{})"), 30);
                }
                check(scores + "*c", inputs("(i{},k{},x[5])", "(k{})"), 30);
                check("reduce(" + scores + "*c,sum,k)", inputs("(k{},x[5])", "(k{},y[3])"), 30);
            }
        }
    }
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
