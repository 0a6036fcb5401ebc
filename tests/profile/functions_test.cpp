// Functions, constants and inputs.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::profile_of;
using testing::score;
using testing::value_of;

ProfileOptions numbers_as_attributes() {
    ProfileOptions options;
    options.undeclared_attributes = true;
    return options;
}

TEST(Functions, WithoutArgumentsAreNamesOrCalls) {
    EXPECT_EQ(value_of("f + f()", "function f() { expression: 2 * 3 }"), 12);
}

TEST(Functions, ExpressionsMayHaveSeveralLinesAndComments) {
    EXPECT_EQ(value_of("f", R"(
        function f() { # a comment with a }
            expression {
                1 + # one, and a brace {
                tensor(x{}):{"}":2, '{':3}{x:"}"}
            }
        })"),
              3);
}

TEST(Functions, AreInlineOrMacrosAsWell) {
    EXPECT_EQ(value_of("f(2) + g + h(1,2)", R"(
        function inline f(x) { expression: x * 10 }
        macro g() { expression: 1 }
        macro inline h(a, b) { expression: a - b }
        )"),
              20);
}

TEST(Functions, ArgumentsAreExpressions) {
    EXPECT_EQ(value_of("f(1 + 2, f(1, 1))", "function f(a, b) { expression: a * 10 + b }"), 41);
}

TEST(Functions, ArgumentsMayNameFeatures) {
    EXPECT_EQ(value_of("f(price, q) + g(attribute(price))", R"(
        inputs { query(q) double: 5 }
        function f(name, input) { expression: attribute(name) + query(input) }
        function g(name) { expression: name * 100 }
        )",
                       {{"attribute(price)", "3"}}, numbers_as_attributes()),
              308);
}

TEST(Functions, ArgumentsNameFeaturesThroughFunctions) {
    ProfileOptions options;
    options.features = {{"bm25(title)"}, {"fieldMatch(title).completeness"}, {"term(0).weight"}};
    EXPECT_EQ(
        value_of("outer(title, 0)", R"(
        function outer(field, n) { expression: inner(field, n) }
        function inner(name, n) { expression: bm25(name) + fieldMatch(name).completeness * 10 + term(n).weight * 100 }
        )",
                 {{"bm25(title)", "1"}, {"fieldMatch(title).completeness", "2"}, {"term(0).weight", "3"}}, options),
        321);
}

TEST(Functions, ALocalNameHidesAFunction) {
    EXPECT_EQ(value_of("reduce(tensor(f[3])(f), sum) + reduce(map(tensor(x[2]):[1,2], f(f)(f * 2)), sum)",
                       "function f() { expression: 1000 }"),
              9);
    EXPECT_EQ(value_of("g(3)", "function f() { expression: 1000 }  function g(f) { expression: f }"), 3);
}

TEST(Functions, AreSplicedIntoLambdas) {
    EXPECT_EQ(value_of("reduce(map(tensor(x[2]):[1,2], f(v)(scaled(v, factor))), sum)", R"(
        constants { ten: 10 }
        function scaled(a, by) { expression: plus(a) * by }
        function plus(a) { expression: a + ten }
        function factor() { expression: 2 }
        )"),
              46);
}

TEST(Functions, SeeDimensionsOfGeneratorsOnlyAsArguments) {
    EXPECT_EQ(value_of("reduce(tensor(x[3])(twice(x) + 100 * one), sum)", R"(
        function twice(a) { expression: a * 2 }
        function one() { expression: reduce(tensor(y[1])(1), sum) }
        )"),
              306);
    const auto error = compile_text(profile_of("reduce(tensor(x[3])(f), sum)", "function f() { expression: x }"));
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("unknown symbol 'x'"));
}

TEST(Functions, DoNotCaptureNamesOfTheirArguments) {
    const std::string text =
        profile_of("reduce(tensor(x[2])(f(x)), sum)", "function f(a) { expression: reduce(tensor(x[2])(a + x), sum) }");
    const auto error = compile_text(text);
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("the argument 'a' speaks of the 'x' around the call"));
    EXPECT_EQ(value_of("reduce(tensor(x[2])(f(x)), sum)",
                       "function f(a) { expression: reduce(tensor(y[2])(a + y * 10), sum) }"),
              22);
}

TEST(Functions, ShadowBuiltInsOfTheSameArity) {
    EXPECT_EQ(value_of("relu(5) + max(1, 2) + sum(tensor(x[2]):[1,2])", R"(
        function relu(x) { expression: 1000 }
        function max(a, b) { expression: a * 100 + b }
        function sum(a, b, c) { expression: 0 }
        )"),
              1105);
    EXPECT_EQ(value_of("softmax(1, d)", "function softmax(a, b) { expression: a + attribute(b) }",
                       {{"attribute(d)", "7"}}, numbers_as_attributes()),
              8);
}

TEST(Functions, AreEvaluatedOnce) {
    // 2^40 calls as written.
    std::string functions = "function f0() { expression: attribute(a) }\n";
    for (int i = 1; i <= 40; ++i) {
        functions += "function f" + std::to_string(i) + "() { expression: f" + std::to_string(i - 1) + " + f" +
                     std::to_string(i - 1) + " }\n";
    }
    EXPECT_EQ(value_of("f40", functions, {{"attribute(a)", "1"}}, numbers_as_attributes()), 1099511627776.0);
}

TEST(Functions, ArgumentsAreEvaluatedOnce) {
    std::string functions = "function f0(x) { expression: x * x }\n";
    for (int i = 1; i <= 40; ++i) {
        functions +=
            "function f" + std::to_string(i) + "(x) { expression: f" + std::to_string(i - 1) + "((x + x) / 2) }\n";
    }
    EXPECT_EQ(value_of("f40(attribute(a))", functions, {{"attribute(a)", "3"}}, numbers_as_attributes()), 9);
}

TEST(Functions, AreCalledAsRankingExpressions) {
    EXPECT_EQ(value_of("rankingExpression(f) + rankingExpression(\"f\")", "function f() { expression: 4 }"), 8);
}

TEST(Functions, OfRankingExpressionsMayHaveArguments) {
    constexpr const char *functions = "function f() { expression: 4 }  function twice(x) { expression: x * 2 }";
    EXPECT_EQ(value_of("rankingExpression(twice(f))", functions), 8);
    EXPECT_EQ(value_of("twice(rankingExpression(twice(rankingExpression(f))))", functions), 16);
    EXPECT_EQ(value_of("rankingExpression(1.5)", functions), 1.5);
}

TEST(Functions, OfRankingExpressionsMayBeFeatures) {
    ProfileOptions options;
    options.features = {{"matches(title,rankingExpression(f))"}, {"matches(title)"}};
    EXPECT_EQ(
        value_of("rankingExpression(matches(title, rankingExpression(f))) + rankingExpression(matches(title)) * 10",
                 "function f() { expression: 4 }",
                 {{"matches(title,rankingExpression(f))", "1"}, {"matches(title)", "2"}}, options),
        21);
    const auto error = compile_text(profile_of("rankingExpression(f(1)", ""));
    EXPECT_FALSE(error);
    const auto unknown = compile_text(profile_of("rankingExpression(g(title))", "function f(x) { expression: x }"));
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message(), ::testing::HasSubstr("there is no function or feature 'g(title)'"));
}

TEST(Functions, OfRankingExpressionsAreNestedWithinLimits) {
    constexpr std::size_t levels = 20000;
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) {
        text += "rankingExpression(";
    }
    text += "1" + std::string(levels, ')');
    const auto error = compile_text(profile_of(text, ""));
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("levels deep"));
}

TEST(Functions, HaveNamesAsExpressionsHave) {
    EXPECT_EQ(value_of("weighted$(1, 2) + a$b + @c()", R"(
        function weighted$(x, y) { expression: x * 10 + query(q) }
        function a$b() { expression: 100 }
        function @c() { expression: 1000 }
        inputs { query(q) double: 5 }
        )"),
              1115);
}

TEST(Functions, GiveDimensionsToMaxAndMin) {
    EXPECT_EQ(value_of("sum(f(tensor(x[2],y[2]):[[1,2],[3,4]], y))", "function f(t, d) { expression: max(t, d) }"), 6);
}

TEST(Constants, MayStandInBlocksOfTheirOwn) {
    EXPECT_EQ(value_of("sum(w) + sum(constant(v)) + sum(f)", R"(
        constants {
            w {
                value: { {x:0}: 1.5, {x:1}: 2 }
                type: tensor(x[2])
            }
            v {
                type: tensor(k{})
                value {
                    { {k:a}: 10, {k:b}: 20 }
                }
            }
            f { type: tensor(k{})
                file: weights.json }
        })",
                       {}, {}, {{"weights.json", R"({"cells":{"a":100,"b":200}})"}}),
              333.5);
}

TEST(Constants, BeginOnTheNextLineIfTheyAreLong) {
    EXPECT_EQ(value_of("sum(w) + sum(query(a)) + query(b) + query(c) + sum(query(d))", R"(
        constants {
            w tensor(x[2]):
                [1,
                 2]
        }
        inputs {
            query(a) tensor(x[2]) query(b) double query(c)
            query(d) tensor(x[2]) :

                { {x:0}: 10, {x:1}: 20 }
        })"),
              33);
}

TEST(Constants, AreScalarsLiteralsAndFiles) {
    EXPECT_EQ(value_of("pi + constant(e) + reduce(W * constant(V), sum) + reduce(F, sum)", R"(
        constants {
            pi: 3
            constant(e) double: 0.5
            W tensor(x[2]): [1,
                             2]
            V tensor<float>(x[2]):{{x:0}:10,{x:1}:20}
            F tensor(k{}): file:weights.json
        })",
                       {}, {}, {{"weights.json", R"({"cells":{"a":100,"b":200}})"}}),
              353.5);
}

TEST(Constants, OfTheSchemaAreReadFromFiles) {
    const RankProfile profile = compiled(R"(
        schema s {
            document s { }
            constant W { file: w.json  type: tensor(x[2]) }
            constant V {
                type: tensor(x[2])
                file: v.json
            }
            rank-profile test { first-phase { expression: sum(W * constant(V)) } }
        })",
                                         "test", {}, {{"w.json", "[1,2]"}, {"v.json", "{\"values\":[3,4]}"}});
    EXPECT_EQ(score(profile, {}), 11);
}

TEST(Constants, ScalarsAreNumbersInLambdasToo) {
    EXPECT_EQ(value_of("reduce(map(tensor(x[2]):[1,2], f(v)(v * k)), sum)", "constants { k: 5 }"), 15);
}

TEST(Labels, AreComputedIfTheyAreMoreThanNamesAndAllNamesAreKnown) {
    const std::string functions = "function three() { expression: 3 }\nfunction plus(n) { expression: n + 1 }";
    const std::string constants =
        "constants {\nkey: 1\nt tensor(x{}): {1:10, 2:20, 3:30, key:40, three:50, 'three()':60, 'no()':70, "
        "new-york:80, "
        "2024-01-05:90, 2018:100, 'key+1':110}\n}";
    const auto value = [&](std::string_view expression) { return value_of(expression, functions + "\n" + constants); };
    EXPECT_EQ(value("t{x:three()}"), 30);
    EXPECT_EQ(value("t{x:key+1}"), 20);
    EXPECT_EQ(value("t{x:three-key}"), 20);
    EXPECT_EQ(value("t{x:plus(key)}"), 20);
    EXPECT_EQ(value("t{three()}"), 30);
    EXPECT_EQ(value("sum(tensor(i[2])(t{x:i+1}))"), 30);
    EXPECT_EQ(value("sum(tensor(i[2])(t{x:three-i}))"), 50);
    EXPECT_EQ(value("t{x:key}"), 40);
    EXPECT_EQ(value("t{x:three}"), 50);
    EXPECT_EQ(value("t{x:'three()'}"), 60);
    EXPECT_EQ(value("t{x:no()}"), 70);
    EXPECT_EQ(value("t{x:new-york}"), 80);
    EXPECT_EQ(value("t{x:2024-01-05}"), 90);
}

TEST(Inputs, HaveTypesAndDefaults) {
    const RankProfile profile = compiled(profile_of("query(a) + query(b) + sum(query(t)) + query(none)", R"(
        inputs {
            a: 0.5
            query(b) double
            query(t) tensor(x[2]): [1, 2]
            query(none) double
        })"));
    ASSERT_EQ(profile.inputs().size(), 4U);
    EXPECT_EQ(profile.inputs()[0].name, "query(a)");
    EXPECT_EQ(profile.inputs()[2].type.to_string(), "tensor(x[2])");
    EXPECT_FALSE(profile.inputs()[3].default_value);
    EXPECT_EQ(score(profile, {}), 3.5);
    EXPECT_EQ(score(profile, {}, {{"query(b)", Tensor(10)}, {"a", Tensor(1)}}), 14);
    const auto unknown = profile.query_values({{"query(aa)", Tensor(1)}}, 0);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message(), "the profile 'test' has no input 'query(aa)' (did you mean 'query(a)'?)");
    const auto mistyped = profile.query_values({{"query(t)", Tensor(1)}}, 0);
    ASSERT_FALSE(mistyped);
    EXPECT_EQ(mistyped.error().message(), "the value of query(t) has type double, not tensor(x[2])");
}

}  // namespace
}  // namespace tenrex
