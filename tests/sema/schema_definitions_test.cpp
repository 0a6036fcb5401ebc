// Definitions of a schema: symbols that stand for expressions.
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/tenrex.h>

namespace tenrex {
namespace {

using testing::HasSubstr;

std::string failure(std::string_view text, const Schema &schema) {
    const auto expression = Expression::parse(text, schema);
    return expression ? "none" : expression.error().render();
}

TEST(SchemaDefinitions, AreUsedLikeInputs) {
    Schema schema;
    schema.document("a").document("b");
    schema.define("sum_of(a,b)", "a + b").define("twice", "2 * sum_of(a, b)").define("unused", "no_such_name");
    const auto expression = Expression::parse("twice * twice - sum_of( a,b )", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    const auto value = expression->evaluate_reference({{"a", Tensor(1)}, {"b", Tensor(2)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), 33);
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    EXPECT_EQ(plan->document_inputs().size(), 2U);
}

TEST(SchemaDefinitions, MistakesInThemAreToldWithTheirText) {
    Schema schema;
    schema.document("t", "tensor(x[3])");
    schema.define("broken", "t + ").define("wrong", "sum(t, y)");
    EXPECT_THAT(failure("1 + broken", schema), HasSubstr("broken"));
    const std::string wrong = failure("1 + wrong", schema);
    EXPECT_THAT(wrong, HasSubstr("wrong"));
    EXPECT_THAT(wrong, HasSubstr("sum(t, y)"));
}

TEST(SchemaDefinitions, UseOnlyThoseBeforeThem) {
    Schema schema;
    schema.define("first", "second + 1").define("second", "1").define("itself", "itself");
    EXPECT_THAT(failure("first", schema),
                HasSubstr("the definition 'first' uses 'second', which is not defined before it"));
    EXPECT_THAT(failure("itself", schema), HasSubstr("the definition 'itself' uses 'itself'"));
}

TEST(SchemaDefinitions, HaveNamesOfTheirOwn) {
    Schema schema;
    schema.document("a").define("a", "1");
    ASSERT_TRUE(schema.error());
    EXPECT_THAT(schema.error()->render(), HasSubstr("definition 'a' is declared twice"));
}

double score(const Plan &plan, double a) {
    const auto query = plan.bind({});
    Context context(plan);
    const Column columns[] = {Column::dense(&a, 0)};
    double result = 0;
    EXPECT_TRUE(query->evaluate({1, columns}, context, std::span(&result, 1)));
    return result;
}

TEST(SchemaDefinitions, AreWholeInTheBodyOfAGenerator) {
    Schema schema;
    schema.document("a");
    schema.define("row", "tensor(x[3])(x*a)").define("next", "tensor(y[2])(y + row{x:(y)} + row{x:2})");
    const auto expression = Expression::parse("sum(tensor(z[2])(next{y:(z)}*10 + z))", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    // row is [0,1,2], next is [0+0+2, 1+1+2].
    const auto value = expression->evaluate_reference({{"a", Tensor(1)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), 61);
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    EXPECT_EQ(score(*plan, 1), 61);
}

// Each is used twice by the next one; computed for each use, the last would need a million of the first.
TEST(SchemaDefinitions, AreComputedOnceInBodiesOfGenerators) {
    Schema schema;
    schema.document("a").define("v0", "tensor(x[4])(x + a)");
    constexpr int steps = 20;
    for (int i = 0; i < steps; ++i) {
        schema.define("v" + std::to_string(i + 1),
                      "tensor(x[4])(v" + std::to_string(i) + "{x:(3-x)} + v" + std::to_string(i) + "{x:(x)})");
    }
    const auto expression = Expression::parse("sum(v20)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    // [1,2,3,4] becomes [5,5,5,5], which doubles 19 times.
    const double expected = 4 * 5 * 524288;
    const auto value = expression->evaluate_reference({{"a", Tensor(1)}});
    ASSERT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->as_double(), expected);
    const auto plan = compile(*expression);
    ASSERT_TRUE(plan) << plan.error().render();
    EXPECT_LT(plan->document_steps(), 4U * steps);
    EXPECT_EQ(score(*plan, 1), expected);
}

}  // namespace
}  // namespace tenrex
