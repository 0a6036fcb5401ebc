// Every conformance vector through the reference evaluator, one test per group.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/vectors.h"

namespace tenrex {
namespace {

using conformance::Vector;

struct Group {
    const char *name;
    std::size_t vectors;
};
constexpr Group groups[] = {
    {"scalar", 403},  {"syntax", 46},   {"create", 122}, {"map", 169},     {"join", 421}, {"reduce", 180},
    {"merge", 54},    {"rename", 29},   {"concat", 40},  {"peek", 65},     {"cells", 42}, {"subspaces", 61},
    {"pattern", 317}, {"compose", 248}, {"error", 150},  {"surface", 149},
};

const std::vector<Vector> &vectors() {
    static const std::vector<Vector> all = conformance::read_vectors();
    return all;
}

// What is wrong with the answer to the vector; empty if nothing.
std::string judge(const Vector &vector) {
    Schema schema;
    std::vector<NamedTensor> named;
    std::vector<Tensor> values;
    for (const auto &[name, literal] : vector.inputs) {
        const auto value = from_literal(literal);
        if (!value) {
            return fmt::format("input {} is no literal: {}", name, value.error().message());
        }
        schema.document(name, value->type());
        named.emplace_back(name, *value);
        values.push_back(*value);
    }
    if (schema.error()) {
        return "an input cannot be declared: " + schema.error()->message();
    }
    const auto expression = Expression::parse(vector.expression, schema);
    if (!vector.expect) {
        return expression ? "should have been rejected" : "";
    }
    if (!expression) {
        return "rejected: " + expression.error().message();
    }
    const auto expected = from_literal(*vector.expect);
    if (!expected) {
        return "the expected value is no literal: " + expected.error().message();
    }
    const auto actual = expression->evaluate_reference(named);
    if (!actual) {
        return "not evaluated: " + actual.error().message();
    }
    if (!(actual->type() == expression->type())) {
        return fmt::format("the checker promised {}, the value is {}", expression->type().to_string(),
                           actual->type().to_string());
    }
    const std::string &text = vector.core.empty() ? vector.expression : vector.core;
    return conformance::difference(*actual, *expected, conformance::tolerance(text, values));
}

class Conformance : public testing::TestWithParam<Group> {};

TEST_P(Conformance, vectors) {
    std::size_t count = 0;
    std::size_t failures = 0;
    for (const Vector &vector : vectors()) {
        if (vector.group != GetParam().name) {
            continue;
        }
        ++count;
        const std::string problem = judge(vector);
        if (!problem.empty()) {
            ++failures;
            ADD_FAILURE() << vector.id << ": " << vector.expression << "\n  " << problem;
        }
    }
    EXPECT_EQ(count, GetParam().vectors);
    EXPECT_EQ(failures, 0u) << "of " << count;
}

INSTANTIATE_TEST_SUITE_P(Groups, Conformance, testing::ValuesIn(groups),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(ConformanceFile, HoldsEachVectorOnceAndNoOtherGroups) {
    std::set<std::string> ids;
    std::map<std::string, std::size_t> counts;
    for (const Vector &vector : vectors()) {
        EXPECT_TRUE(ids.insert(vector.id).second) << vector.id << " occurs twice";
        ++counts[vector.group];
    }
    EXPECT_EQ(counts.size(), std::size(groups));
}

TEST(Comparison, TellsValuesApart) {
    const auto differ = [](const char *a, const char *b, double tolerance) {
        return conformance::difference(*from_literal(a), *from_literal(b), tolerance);
    };
    EXPECT_EQ(differ("1", "1.0000000001", 1e-9), "");
    EXPECT_EQ(differ("1", "1.00000001", 1e-9), "cell 0 of block {} is 1, expected 1.00000001");
    EXPECT_EQ(differ("nan", "nan", 1e-9), "");
    EXPECT_NE(differ("nan", "1", 1e-9), "");
    EXPECT_NE(differ("inf", "-inf", 1e-9), "");
    EXPECT_NE(differ("inf", "1e308", 1e-9), "");
    EXPECT_EQ(differ("tensor(x[1]):[1]", "tensor<float>(x[1]):[1]", 1e-9),
              "the type is tensor(x[1]), expected tensor<float>(x[1])");
    EXPECT_EQ(differ("tensor(x{}):{a:1}", "tensor(x{}):{a:1,b:2}", 1e-9), "block {b} is missing");
    EXPECT_EQ(differ("tensor(x{}):{a:1,b:2}", "tensor(x{}):{a:1}", 1e-9), "block {b} should not be there");
    EXPECT_EQ(differ("tensor(x{}):{b:2,a:1}", "tensor(x{}):{a:1,b:2}", 1e-9), "");
    EXPECT_EQ(differ("tensor<int8>(x[2]):[1,2]", "tensor<int8>(x[2]):[1,3]", 1.0),
              "cell 1 of block {} is 2, expected 3");
    EXPECT_EQ(differ("tensor<bfloat16>(x[1]):[1]", "tensor<bfloat16>(x[1]):[1.0078125]", 0.0), "");
    EXPECT_NE(differ("tensor<bfloat16>(x[1]):[1]", "tensor<bfloat16>(x[1]):[1.015625]", 1.0), "");
    EXPECT_EQ(differ("tensor<float>(x[1]):[100]", "tensor<float>(x[1]):[100.0009]", 0.0), "");
    EXPECT_NE(differ("tensor<float>(x[1]):[100]", "tensor<float>(x[1]):[100.002]", 1.0), "");
}

TEST(Comparison, IsStrictOnlyIfAllIsDouble) {
    const auto d = from_literal("tensor(x[1]):[1]");
    const auto f = from_literal("tensor<float>(x[1]):[1]");
    EXPECT_EQ(conformance::tolerance("sum(a)", {*d}), 1e-9);
    EXPECT_EQ(conformance::tolerance("sum(a)", {*d, *f}), 1e-5);
    EXPECT_EQ(conformance::tolerance("sum(cell_cast(a,bfloat16))", {*d}), 1e-5);
    EXPECT_EQ(conformance::tolerance("sum(cell_cast(a,int8))", {*d}), 1e-5);
}

// What the bounds must tell from rounding, however small the cells are and whatever cancels.
TEST(Comparison, FindsPlantedMistakes) {
    constexpr std::size_t count = 768;
    Schema schema;
    schema.document("a", "tensor<float>(x[768])").document("b", "tensor<float>(x[768])");
    const auto row = [&](double step) {
        TensorBuilder builder(*TensorType::parse("tensor<float>(x[768])"));
        for (std::size_t i = 0; i < count; ++i) {
            builder.set(0, i, std::sin(step * static_cast<double>(i + 1)));
        }
        return std::move(builder).build();
    };
    const Tensor a = row(0.37);
    const Tensor b = row(1.91);
    const auto expected = [&](const char *text) {
        return *Expression::parse(text, schema)->evaluate_reference_bounded({{"a", a}, {"b", b}});
    };

    const BoundedTensor dot = expected("sum(a*b)");
    const double term = a.cell(3) * b.cell(3);
    ASSERT_GT(std::fabs(term), 0.1);
    EXPECT_EQ(conformance::difference(Tensor(dot.value.as_double()), dot), "");
    EXPECT_EQ(conformance::difference(Tensor(dot.value.as_double() + 1e-6), dot), "");
    EXPECT_NE(conformance::difference(Tensor(dot.value.as_double() - term), dot), "");

    const BoundedTensor softmax = expected("softmax(a,x)");
    const auto off_by = [&](double factor) {
        TensorBuilder builder(softmax.value.type());
        for (std::size_t i = 0; i < count; ++i) {
            builder.set(0, i, softmax.value.cell(i) * (i == 5 ? factor : 1.0));
        }
        return conformance::difference(std::move(builder).build(), softmax);
    };
    EXPECT_EQ(off_by(1.0 + 1e-7), "");
    EXPECT_NE(off_by(1.0 + 1e-3), "");

    const BoundedTensor whole = expected("sum(floor(a*100)*floor(b*100))");
    EXPECT_NE(conformance::difference(Tensor(whole.value.as_double() + 1.0), whole), "");
    const BoundedTensor ranks = expected("cell_order(a,max)");
    EXPECT_NE(conformance::difference(expected("cell_order(a,min)").value, ranks), "");
}

}  // namespace
}  // namespace tenrex
