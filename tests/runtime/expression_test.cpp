#include <tenrex/expression.h>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/formats.h>

namespace tenrex {
namespace {

using testing::ElementsAre;

Schema schema() {
    Schema schema;
    schema.query("query(q)", "tensor<float>(x[2])").document("attribute(a)", "tensor<float>(x[2])").document("price");
    schema.constant("constant(W)", *from_literal("tensor(x[2]):[10,20]"));
    return schema;
}

Tensor literal(const char *text) {
    return *from_literal(text);
}

TEST(Expression, ParsesAndEvaluates) {
    const auto expression = Expression::parse("sum( query(q) * attribute( a ) )+price", schema());
    ASSERT_TRUE(expression) << expression.error().render();
    EXPECT_TRUE(expression->type().is_scalar());
    EXPECT_THAT(expression->input_names(), ElementsAre("query(q)", "attribute(a)", "price"));
    EXPECT_TRUE(expression->warnings().empty());
    const auto value = expression->evaluate_reference({{"query(q)", literal("tensor<float>(x[2]):[1,2]")},
                                                       {"attribute(a)", literal("tensor<float>(x[2]):[3,4]")},
                                                       {"price", Tensor(0.5)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), 11.5);
}

TEST(Expression, ConstantsNeedNoValue) {
    const auto expression = Expression::parse("constant(W)*price", schema());
    ASSERT_TRUE(expression);
    const auto value = expression->evaluate_reference({{"price", Tensor(2.0)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(to_literal(*value), "tensor(x[2]):[20,40]");
}

TEST(Expression, NamesOfValuesMayHaveWhiteSpace) {
    const auto expression = Expression::parse("sum(query(q))", schema());
    ASSERT_TRUE(expression);
    EXPECT_TRUE(expression->evaluate_reference({{"query( q )", literal("tensor<float>(x[2]):[1,2]")}}));
    EXPECT_TRUE(expression->evaluate_reference({{"$q", literal("tensor<float>(x[2]):[1,2]")}}));
}

TEST(Expression, ValuesThatAreNotUsedAreIgnored) {
    const auto expression = Expression::parse("price", schema());
    const auto value =
        expression->evaluate_reference({{"price", Tensor(1.0)}, {"price", Tensor(2.0)}, {"other", Tensor(3.0)}});
    ASSERT_TRUE(value);
    EXPECT_EQ(value->as_double(), 1.0);
}

TEST(Expression, MissingValuesAreAllReported) {
    const auto expression = Expression::parse("price * sum(query(q))", schema());
    const auto value = expression->evaluate_reference({});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().render(),
              "1:1: error: there is no value for the input 'price'\n"
              "  price * sum(query(q))\n"
              "  ^~~~~\n"
              "  hint: give a value of type double\n"
              "1:13: error: there is no value for the input 'query(q)'\n"
              "  price * sum(query(q))\n"
              "              ^~~~~~~~\n"
              "  hint: give a value of type tensor<float>(x[2])\n");
}

TEST(Expression, ValuesMustHaveTheDeclaredType) {
    const auto expression = Expression::parse("1+sum(query(q))", schema());
    const auto value = expression->evaluate_reference({{"query(q)", literal("tensor(x[2]):[1,2]")}});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().render(),
              "1:7: error: the value of 'query(q)' is of type tensor(x[2]), but the input was declared as "
              "tensor<float>(x[2])\n"
              "  1+sum(query(q))\n"
              "        ^~~~~~~~\n"
              "  hint: give a value of the declared type\n");
}

TEST(Expression, MistakesOfTheSchemaAreReported) {
    Schema bad;
    bad.document("a", "tensor(x[0])");
    const auto expression = Expression::parse("1", bad);
    ASSERT_FALSE(expression);
    EXPECT_NE(expression.error().message().find("'a'"), std::string::npos) << expression.error().message();
}

TEST(Expression, ParseAndTypeErrorsHaveAPosition) {
    const auto syntax = Expression::parse("price +", schema());
    ASSERT_FALSE(syntax);
    EXPECT_TRUE(syntax.error().incomplete());
    const auto types = Expression::parse("1 +\n pride", schema());
    ASSERT_FALSE(types);
    EXPECT_EQ(types.error().issues().front().line, 2u);
    EXPECT_EQ(types.error().issues().front().column, 2u);
    EXPECT_NE(types.error().render().find("price"), std::string::npos) << types.error().render();
}

TEST(Expression, OutlivesTextAndSchema) {
    const auto make = [] {
        std::string text = "sum(constant(W)) + twice(price)";
        Schema temporary = schema();
        temporary.function("twice", 1,
                           [factor = std::vector<double>{2.0}](std::span<const double> a) { return factor[0] * a[0]; });
        auto expression = Expression::parse(text, temporary);
        text.assign(text.size(), '#');
        return *std::move(expression);
    };
    const Expression expression = make();
    const Expression copy = expression;
    EXPECT_EQ(copy.evaluate_reference({{"price", Tensor(4.0)}})->as_double(), 38.0);
    EXPECT_EQ(copy.to_string(), "sum(constant(W))+twice(price)");
}

TEST(Expression, Prints) {
    ExpressionOptions java;
    java.dialect = Dialect::java;
    EXPECT_EQ(Expression::parse("(price*2)%3", schema())->to_string(), "price*2%3");
    EXPECT_EQ(Expression::parse("(price*2)%3", schema(), java)->to_string(), "(price*2)%3");
    EXPECT_NE(Expression::parse("price*2", schema())->dump().find("price"), std::string::npos);
}

TEST(Expression, WarnsOfWhatDoesNotCount) {
    const auto expression = Expression::parse("tensor(x{}):{a:1,a:2}", {});
    ASSERT_TRUE(expression);
    ASSERT_EQ(expression->warnings().size(), 1u);
    EXPECT_EQ(expression->warnings()[0].severity, Severity::warning);
}

TEST(Expression, ListsTheSymbolsOfAText) {
    const auto names = [](const char *text) {
        std::vector<std::string> found;
        const auto uses = Expression::symbols(text);
        if (!uses) {
            return std::vector<std::string>{"error: " + uses.error().message()};
        }
        for (const SymbolUse &use : *uses) {
            found.push_back(use.name + (use.maybe ? "?" : ""));
        }
        return found;
    };
    EXPECT_THAT(names("b + a*b"), ElementsAre("b", "a"));
    EXPECT_THAT(names("query( q ) + $r"), ElementsAre("query(q)", "query(r)"));
    EXPECT_THAT(names("map(t,f(x)(x+y))"), ElementsAre("t"));
    EXPECT_THAT(names("tensor(x[2])(x*a)"), ElementsAre("a"));
    EXPECT_THAT(names("max(t,d)"), ElementsAre("t", "d?"));
    EXPECT_THAT(names("reduce(t,max,d)"), ElementsAre("t"));
    EXPECT_THAT(names("1+2"), ElementsAre());
    EXPECT_THAT(names("1+"), ElementsAre(testing::StartsWith("error: ")));
    const auto uses = Expression::symbols("1 + abc");
    EXPECT_EQ(uses->at(0).span, (Span{4, 7}));
}

TEST(Expression, LimitsHold) {
    ExpressionOptions options;
    options.limits.expression_bytes = 10;
    EXPECT_FALSE(Expression::parse("1+1+1+1+1+1", {}, options));
    EXPECT_TRUE(Expression::parse("1+1", {}, options));
    options = {};
    options.limits.evaluation_cells = 10;
    const auto expression = Expression::parse("sum(query(q))", schema(), options);
    EXPECT_TRUE(expression->evaluate_reference({{"query(q)", literal("tensor<float>(x[2]):[1,2]")}}));
    Schema large;
    large.document("t", "tensor(x[100])");
    const auto too_large = Expression::parse("sum(t)", large, options);
    const auto value = too_large->evaluate_reference({{"t", literal("tensor(x[100]):{{x:0}:1}")}});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message(),
              "1:5: the intermediate results would hold more than 10 cells at a time; this one, of type "
              "tensor(x[100]), needs 100 more (make the tensors smaller, or raise the limit evaluation_cells)");
}

}  // namespace
}  // namespace tenrex
