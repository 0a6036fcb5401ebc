// A document on its own takes a shorter way than a block of them: formulas on single cells read its columns directly.
// The scores must be the same.
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/evaluation.h"

namespace tenrex::single_document_test {
namespace {

constexpr std::size_t documents = 70;

// Documents with a and b double, f and v[3] float, i int8; queries with q.
class Documents {
public:
    Documents() {
        schema_.document("a", *TensorType::parse("double"))
            .document("b", *TensorType::parse("double"))
            .document("f", *TensorType::parse("tensor<float>(y[1])"))
            .document("i", *TensorType::parse("tensor<int8>(y[1])"))
            .document("v", *TensorType::parse("tensor<float>(x[3])"))
            .query("q", *TensorType::parse("double"));
        std::mt19937 random(3);
        const double specials[] = {
            0, -0.0, 1, 1000, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
        for (std::size_t d = 0; d < documents; ++d) {
            std::vector<NamedTensor> &values = values_.emplace_back();
            for (const char *const name : {"a", "b", "f", "i", "v"}) {
                TensorBuilder builder(*TensorType::parse(type_of(name)));
                const std::size_t block = 0;
                for (std::size_t cell = 0; cell < builder.type().block_cells(); ++cell) {
                    const bool special = random() % 8 == 0 && std::string(name) != "i";
                    builder.set(block, cell,
                                special ? specials[random() % 6] : static_cast<int>(random() % 40) / 4.0 - 4);
                }
                values.emplace_back(name, std::move(builder).build());
            }
        }
    }
    const Schema &schema() const { return schema_; }
    const std::vector<NamedTensor> &values(std::size_t document) const { return values_[document]; }

private:
    static const char *type_of(const std::string &name) {
        return name == "v"   ? "tensor<float>(x[3])"
               : name == "f" ? "tensor<float>(y[1])"
               : name == "i" ? "tensor<int8>(y[1])"
                             : "double";
    }
    Schema schema_;
    std::vector<std::vector<NamedTensor>> values_;
};

void check(const std::string &text) {
    SCOPED_TRACE(text);
    const Documents all;
    const auto plan = compile(text, all.schema());
    ASSERT_TRUE(plan) << plan.error().render();
    const auto oracle = Expression::parse(text, all.schema());
    ASSERT_TRUE(oracle);
    std::vector<ColumnBuffer> buffers;
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan->labels());
        for (std::size_t d = 0; d < documents; ++d) {
            for (const auto &[name, value] : all.values(d)) {
                if (name == input.name) {
                    ASSERT_TRUE(buffer.append(value));
                }
            }
        }
    }
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    Context context(*plan);
    // What a query or a larger block leaves in the context must not be read for the next document.
    for (const double q : {2.0, -3.0}) {
        const std::vector<NamedTensor> of_query = {{"q", Tensor(q)}};
        const auto query = plan->bind(of_query);
        ASSERT_TRUE(query);
        for (const std::size_t count : {documents, std::size_t{3}, std::size_t{1}}) {
            const Block block{count, columns, (documents - count) / 2};
            const auto found = conformance::evaluate_every_way(*plan, *query, block, context);
            ASSERT_TRUE(found) << found.error().message();
            for (std::size_t i = 0; i < count; ++i) {
                std::vector<NamedTensor> values = all.values(block.first + i);
                values.insert(values.end(), of_query.begin(), of_query.end());
                const auto expected = oracle->evaluate_reference_bounded(values);
                ASSERT_TRUE(expected);
                EXPECT_EQ(conformance::difference((*found)[i], *expected), "") << block.first + i;
            }
        }
    }
}

TEST(SingleDocument, FormulasOnItsCells) {
    check("a+b");
    check("a+1");
    check("2*a-b/3+0.5*a*b");
    check("sum(f)+a");
    check("sum(f)*sum(f)");
    check("sum(i)+sum(f)*b");
    check("log(1+a)*b+exp(-b)+pow(abs(a),0.3)+sin(a)+a%3");
    check("if(a>2&&b<1,a,b)+if(a>2||isNan(b)||b==1,3,a)+if(a in [0,1,1000],1,0)");
    check("if(isNan(a),-1,a)*if(!(a<b)&&!(b<a),1,2)");
}

TEST(SingleDocument, FormulasThatOthersReadToo) {
    check("a*q+b");
    check("q+1");
    check("a");
    check("a+sum(v)");
    check("log(2+a)*b+sum(v*v)/(1+b)");
    check("a+b*sum(v*v)");
    check("a*b+sum(v*a)");
    check("reduce(v*b,max)+b");
    check("a+reduce(v*b,max)+reduce(v+a,min)*a");
    check("sum(concat(a,b,x)*tensor(x[2]):[3,4])+a");
}

TEST(SingleDocument, FormulasOfAnyLength) {
    // Operations that do not become one, and of which each needs the one before it.
    std::string text = "a";
    for (int i = 0; i < 20000; ++i) {
        text += i % 2 == 0 ? "/b" : "*b";
    }
    const Documents all;
    const auto plan = compile(text, all.schema());
    ASSERT_TRUE(plan) << plan.error().render();
    const double a[] = {1, 2, 3};
    const double b[] = {3, 0, 7};
    const Column columns[] = {Column::dense(a, sizeof(double)), Column::dense(b, sizeof(double))};
    Context context(*plan);
    const auto found = conformance::evaluate_every_way(*plan, *plan->bind({{"q", Tensor(1)}}), {3, columns}, context);
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_NEAR(found->front().as_double(), 1, 1e-9);
    EXPECT_TRUE(std::isnan((*found)[1].as_double()));
}

TEST(SingleDocument, QueriesTakeTurnsInAContext) {
    const Documents all;
    const auto plan = compile("a*q+b", all.schema());
    ASSERT_TRUE(plan);
    const double a[] = {1, 2, 3};
    const double b[] = {10, 20, 30};
    const Column columns[] = {Column::dense(a, sizeof(double)), Column::dense(b, sizeof(double))};
    Context context(*plan);
    const auto lasting = plan->bind({{"q", Tensor(7)}});
    ASSERT_TRUE(lasting);
    for (std::size_t d = 0; d < 3; ++d) {
        // One that may be where the one before it was.
        const double factor = 100.0 * static_cast<double>(d + 1);
        const auto passing = plan->bind({{"q", Tensor(factor)}});
        ASSERT_TRUE(passing);
        const auto expect_score = [&](const Query &query, double q) {
            double score = 0;
            ASSERT_TRUE(query.evaluate({1, columns, d}, context, {&score, 1}));
            EXPECT_EQ(score, a[d] * q + b[d]);
        };
        expect_score(*passing, factor);
        expect_score(*lasting, 7);
        expect_score(*passing, factor);
        // Steps leave the cells of another query where the formula reads them.
        const auto tensors = lasting->evaluate_tensors({1, columns, d}, context);
        ASSERT_TRUE(tensors);
        EXPECT_EQ(tensors->front().as_double(), a[d] * 7 + b[d]);
        expect_score(*passing, factor);
    }
}

TEST(SingleDocument, ColumnsMayBeComputed) {
    const Documents all;
    const auto plan = compile("a*3+b", all.schema());
    ASSERT_TRUE(plan);
    const auto query = plan->bind({});
    ASSERT_TRUE(query);
    const double a[] = {1, 2, 3, 4};
    const Column::Fill fill = [](std::size_t first, std::size_t count, void *cells) {
        for (std::size_t i = 0; i < count; ++i) {
            static_cast<double *>(cells)[i] = 100.0 * static_cast<double>(first + i);
        }
    };
    const Column stored = Column::dense(a, sizeof(double));
    const Column computed[] = {stored, Column::computed(fill)};
    const Column both_stored[] = {stored, stored};
    Context context(*plan);
    for (std::size_t d = 0; d < 4; ++d) {
        double score = 0;
        ASSERT_TRUE(query->evaluate({1, computed, d}, context, {&score, 1}));
        EXPECT_EQ(score, 3 * a[d] + 100.0 * static_cast<double>(d));
        ASSERT_TRUE(query->evaluate({1, both_stored, d}, context, {&score, 1}));
        EXPECT_EQ(score, 4 * a[d]);
    }
    const Column missing[] = {stored, Column::dense(nullptr, 8)};
    double score = 0;
    EXPECT_FALSE(query->evaluate({1, missing}, context, {&score, 1}));
}

}  // namespace
}  // namespace tenrex::single_document_test
