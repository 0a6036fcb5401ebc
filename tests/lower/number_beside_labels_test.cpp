// A number of each document beside cells under labels, in formulas that read it in both cell types: one vector of it
// stands for all cells of a document where documents have many, and it is written out where they have few. How many
// they have is an average over the block, which must not show.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/isas.h"
#include "tests/differential/case.h"

namespace tenrex::program::number_beside_labels_test {
namespace {

using differential::Case;
using differential::Compiled;

constexpr std::size_t labels_of_documents[] = {0, 3, 80, 300, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257};
constexpr std::size_t documents = std::size(labels_of_documents);

// Cells that are often equal to numbers.
Tensor cells_under_labels(const TensorType &type, std::size_t labels, std::size_t document) {
    TensorBuilder builder(type);
    for (std::size_t label = 0; label < labels; ++label) {
        const std::string text = fmt::format("l{}", label);
        const std::string_view address[] = {text};
        builder.block(address);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(label, i, static_cast<double>((label * 7 + i * 3 + document) % 11) - 4);
        }
    }
    return std::move(builder).build();
}

Case make_case(const std::string &text, const std::string &cells, const std::string &dimensions) {
    Case described{text, {}, {}};
    const auto type = *TensorType::parse(fmt::format("tensor<{}>({})", cells, dimensions));
    const auto one_cell = *TensorType::parse("tensor<float>(z[1])");
    described.schema.document("a", type);
    described.schema.document("s", TensorType());
    described.schema.document("t", TensorType());
    described.schema.document("f", one_cell);
    for (std::size_t i = 0; i < documents; ++i) {
        const auto number = [&](std::size_t factor) { return static_cast<double>(i * factor % 7) / 2 - 1; };
        TensorBuilder cell(one_cell);
        cell.block({});
        cell.set(0, 0, number(3));
        described.documents.push_back({{"a", cells_under_labels(type, labels_of_documents[i], i)},
                                       {"s", Tensor(number(1))},
                                       {"t", Tensor(number(5) + 0.1)},
                                       {"f", std::move(cell).build()}});
    }
    return described;
}

class NumberBesideLabels : public testing::TestWithParam<const char *> {
protected:
    static void check(const std::string &text, const std::string &cells, const std::string &dimensions) {
        SCOPED_TRACE(fmt::format("{} with a: tensor<{}>({})", text, cells, dimensions));
        const Case described = make_case(text, cells, dimensions);
        const auto expression = Expression::parse(text, described.schema);
        ASSERT_TRUE(expression) << expression.error().message();
        const auto compiled = Compiled::make(described, {GetParam(), ""});
        ASSERT_TRUE(compiled) << compiled.error().message();
        Context context(compiled->plan());
        std::vector<Tensor> alone;
        for (std::size_t i = 0; i < documents; ++i) {
            const auto values = differential::evaluate(*compiled, described, {&i, 1}, context);
            ASSERT_TRUE(values) << values.error().message();
            alone.push_back(values->front());
            const auto expected = expression->evaluate_reference_bounded(described.documents[i]);
            EXPECT_EQ(conformance::difference(alone.back(), *expected), "") << labels_of_documents[i] << " labels";
        }
        // Averages below and above what makes it worth a vector, with documents of all sizes in either.
        for (const std::vector<std::size_t> &order :
             std::vector<std::vector<std::size_t>>{{0, 1, 2, 3},
                                                   {2, 0, 1},
                                                   {1, 2, 0},
                                                   {1, 0, 1, 0, 1, 2, 5},
                                                   {3, 2, 1, 0, 4, 5, 6, 7, 8, 9, 10},
                                                   {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}}) {
            const auto values = differential::evaluate(*compiled, described, order, context);
            ASSERT_TRUE(values) << values.error().message();
            for (std::size_t i = 0; i < order.size(); ++i) {
                EXPECT_TRUE(conformance::same_bits((*values)[i], alone[order[i]]))
                    << labels_of_documents[order[i]] << " labels, number " << i << " of " << order.size();
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(All, NumberBesideLabels, testing::ValuesIn(distinct_isas({"baseline", "avx2", "native"})),
                         [](const auto &test) { return std::string(test.param); });

TEST_P(NumberBesideLabels, InBothCellTypes) {
    for (const char *cells : {"float", "bfloat16", "int8", "double"}) {
        for (const char *dimensions : {"k{}", "k{},x[3]"}) {
            for (const char *text : {
                     "a*s+(a>s)",
                     "sum(s*(a>s))",
                     "sum((a==s)*s)/7",
                     "sum(s*(a^2>s))",
                     "(a>=t)*t-s*(a in [1,2])",
                     "if(a>s,a*s,a-t)+if(a<=t,a*s,a*t)",
                     "max(a,s)+min(a,t)*(a!=s)+(a==t)",
                     "atan2(a,t)+fmod(a,t)*t",
                     "t-a*t+(a<t)",
                     "a*s*(a>s)+a*t*(a<t)+a*s*t+(s<a)",
                     "(a in [1,2,3])*s+(a>s&&a<t)*t",
                     "(a-reduce(a,max))*s+(a>s)",
                     "(a-reduce(a,avg))*reduce(a,avg)",
                 }) {
                check(text, cells, dimensions);
            }
        }
    }
}

TEST_P(NumberBesideLabels, InACellOfItsOwn) {
    for (const char *cells : {"float", "bfloat16", "int8", "double"}) {
        for (const char *text :
             {"a*f+(a>f)", "cell_cast(a*f,double)*f+s*f", "cell_cast(a,double)*f+cell_cast(a,float)*f"}) {
            check(text, cells, "k{},z[1]");
        }
    }
}

}  // namespace
}  // namespace tenrex::program::number_beside_labels_test
