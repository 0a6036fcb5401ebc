// Texts that are too large or nested too deep get an answer at once; long chains are no nesting.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"

namespace tenrex::syntax {
namespace {

std::string repeat(std::string_view text, std::size_t times) {
    std::string result;
    result.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

Result<Ast> parse_nesting(std::string_view text, std::uint32_t nesting) {
    ParseOptions options;
    options.limits.nesting = nesting;
    return parse(text, options);
}

// Processor time: other programs do not count.
double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string first_message(const Result<Ast> &result) {
    return result ? "parsed" : result.error().issues()[0].message;
}

struct Nest {
    const char *name;
    const char *open;
    const char *middle;
    const char *close;
};
constexpr Nest nests[] = {
    {"parentheses", "(", "1", ")"},
    {"calls", "cos(", "1", ")"},
    {"conditions", "if(", "1", ",2,3)"},
    {"choices", "if(1,2,", "3", ")"},
    {"minus", "-", "a", ""},
    {"not", "!", "a", ""},
    {"powers", "a^", "a", ""},
    {"lambdas", "map(t,f(x)(", "x", "))"},
    {"generators", "tensor(x[2])(", "x", ")"},
    {"lists", "tensor(x[2]):[", "1", "]"},
    {"maps", "tensor(x{}):{a:", "1", "}"},
    {"cells", "tensor(x{}):{{x:a}:", "1", "}"},
    {"indexes", "t[", "1", "]"},
    {"peeks", "t{x:(", "1", ")}"},
    {"bare peeks", "t{x:1+", "1", "}"},
    {"switches", "switch(", "1", "){case 1: 2, default: 3}"},
    {"cases", "switch(1){case 1: 2, default: ", "3", "}"},
    {"arguments", "max(1,", "2", ")"},
    {"reductions", "reduce(", "t", ",sum,x)"},
    {"right operands", "a||b&&c<d+e*(", "1", ")"},
};

TEST(Nesting, IsRefusedBeyondTheLimitAndAcceptedWellBelow) {
    for (const Nest &nest : nests) {
        const auto text = [&](std::size_t depth) {
            return repeat(nest.open, depth) + nest.middle + repeat(nest.close, depth);
        };
        // Some of them open two levels at a time, the operators even more.
        EXPECT_TRUE(parse_nesting(text(16), 100)) << nest.name << ": " << first_message(parse_nesting(text(16), 100));
        const auto refused = parse_nesting(text(101), 100);
        ASSERT_FALSE(refused) << nest.name;
        EXPECT_TRUE(first_message(refused).find("nested more than 100 deep") != std::string::npos)
            << nest.name << ": " << first_message(refused);
        EXPECT_EQ(refused.error().issues()[0].hint, "the limit is called nesting");
    }
}

TEST(Nesting, CountsExactly) {
    EXPECT_TRUE(parse_nesting("a", 0));
    EXPECT_FALSE(parse_nesting("(a)", 0));
    EXPECT_TRUE(parse_nesting("((((a))))", 4));
    EXPECT_FALSE(parse_nesting("(((((a)))))", 4));
    EXPECT_TRUE(parse_nesting("----a", 4));
    EXPECT_FALSE(parse_nesting("-----a", 4));
    EXPECT_TRUE(parse_nesting("a^a^a^a^a", 4));
    EXPECT_FALSE(parse_nesting("a^a^a^a^a^a", 4));
    EXPECT_TRUE(parse_nesting("a+b+c+d+e+f", 1));
    EXPECT_TRUE(parse_nesting("(a)+(b)*(c)", 3));
}

TEST(Nesting, PointsToThePlace) {
    const auto result = parse_nesting("1+((((a))))", 3);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message(), "1:6: expressions nested more than 3 deep (the limit is called nesting)");
}

TEST(Nesting, OfTheDefaultLimitFitsTheStack) {
    for (const Nest &nest : nests) {
        const std::size_t depth = std::string_view(nest.name) == "right operands" ? 150
                                  : std::string_view(nest.name) == "bare peeks"   ? 330  // printed with parentheses
                                                                                  : 490;
        const auto ast = parse(repeat(nest.open, depth) + nest.middle + repeat(nest.close, depth));
        ASSERT_TRUE(ast) << nest.name << ": " << ast.error().message();
        const auto again = parse(to_string(*ast));
        ASSERT_TRUE(again) << nest.name << ": " << again.error().message();
        EXPECT_TRUE(equal(ast->root(), again->root())) << nest.name;
        EXPECT_FALSE(dump(*ast).empty());
    }
    EXPECT_TRUE(parse(repeat("(", 1000) + "1" + repeat(")", 1000)));
    EXPECT_TRUE(parse(repeat("if(1,2,", 1000) + "1" + repeat(")", 1000)));
    EXPECT_TRUE(parse(repeat("map(t,f(x)(", 1000) + "1" + repeat("))", 1000)));
    EXPECT_TRUE(parse(repeat("t{x:1+", 500) + "1" + repeat("}", 500)));
}

TEST(Nesting, OfGarbageIsAnsweredAtOnce) {
    const char *const openers[] = {
        "(",       "-",       "!",       "[",       "[[[[",           "if(",         "cos(",
        "a^",      "t{x:(",   "t{x:",    "t{x:a+",  "tensor(x[2]):[", "t[",          "tensor(x{}):{a:",
        "switch(", "f(",      "$",       "\"",      "tensor(x[2])(",  "map(t,f(x)(", "{{",
        "a in [",  "1+",      "a(\"",    "t{x:f(,", "t{x:a+,",        "#",           "# \n",
        "\\",      "tensor(", "tensor<", "max(",    "top(",           "a.",          "0x"};
    for (const char *opener : openers) {
        const std::clock_t start = std::clock();
        EXPECT_FALSE(parse(repeat(opener, 100000))) << opener;
        EXPECT_LT(seconds_since(start), 5) << opener;
    }
}

TEST(Nesting, OfTypesIsLimitedByTheirDimensions) {
    std::string type = "tensor(";
    std::string value;
    for (int i = 0; i < 65; ++i) {
        type += (i == 0 ? "d" : ",d") + std::to_string(i) + "[1]";
        value += "[";
    }
    const auto ast = parse(type + "):" + value);
    ASSERT_FALSE(ast);
    EXPECT_EQ(first_message(ast), "the type has more than 64 dimensions");
}

TEST(Chains, MayBeLong) {
    EXPECT_TRUE(parse("1" + repeat("+1", 1000000)));
    constexpr std::size_t length = 100000;
    const auto sum = parse("1" + repeat("+1", length));
    ASSERT_TRUE(sum) << sum.error().message();
    EXPECT_EQ(to_string(*sum).size(), 1 + 2 * length);
    EXPECT_TRUE(equal(sum->root(), sum->root()));
    EXPECT_GT(dump(*sum).size(), length);
}

TEST(Chains, OfAllKindsAreNoNesting) {
    constexpr std::size_t length = 20000;
    const char *const links[] = {"-1",    "*a",  "/a",      "%2", "==1",  "&&a", "||b",
                                 "{x:0}", "[1]", "{x:(1)}", "<b", "+b*c", "+b^2"};
    for (const char *link : links) {
        const auto ast = parse("a" + repeat(link, length));
        ASSERT_TRUE(ast) << link << ": " << ast.error().message();
        const auto again = parse(to_string(*ast));
        ASSERT_TRUE(again) << link;
        EXPECT_TRUE(equal(ast->root(), again->root())) << link;
    }
}

TEST(Chains, OfInAreLimitedBecauseWalkersRecurseThere) {
    EXPECT_TRUE(parse_nesting("a" + repeat(" in [1]", 10), 10));
    EXPECT_FALSE(parse_nesting("a" + repeat(" in [1]", 12), 10));
    EXPECT_EQ(first_message(parse_nesting("a" + repeat(" in [1]", 12), 10)),
              "'in' applied to its own result more than 10 times");
    EXPECT_FALSE(parse_nesting("a" + repeat(" in [1]+1", 12), 10));
    EXPECT_TRUE(parse_nesting("a" + repeat("||b in [1]", 1000), 10));
}

TEST(Limits, OnBytesNodesAndDimensions) {
    ParseOptions options;
    options.limits.expression_bytes = 5;
    EXPECT_TRUE(parse("a+b+c", options));
    const auto long_text = parse("a+b+cd", options);
    ASSERT_FALSE(long_text);
    EXPECT_EQ(long_text.error().message(),
              "the expression has 6 bytes, more than 5 (the limit is called expression_bytes)");

    options = {};
    options.limits.nodes = 5;
    EXPECT_TRUE(parse("a+b+c", options));
    const auto many = parse("a+b+c+d", options);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().message(), "1:7: the expression has more than 5 parts (the limit is called nodes)");

    options = {};
    options.limits.dimensions = 2;
    EXPECT_TRUE(parse("tensor(a[1],b[1])(1)", options));
    EXPECT_FALSE(parse("tensor(a[1],b[1],c[1])(1)", options));
    options.limits.block_cells = 100;
    EXPECT_TRUE(parse("tensor(a[10],b[10])(1)", options));
    EXPECT_FALSE(parse("tensor(a[10],b[11])(1)", options));
}

TEST(Limits, OnGuessesKeepBadPeeksLinear) {
    // Each label may be an expression; reading it goes to the end of the text, in vain.
    const std::clock_t start = std::clock();
    const auto ast = parse("t{x:a" + repeat("(,x:a", 200000) + "}");
    EXPECT_TRUE(ast) << ast.error().message();
    EXPECT_LT(seconds_since(start), 5);
}

}  // namespace
}  // namespace tenrex::syntax
