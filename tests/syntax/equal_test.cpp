// Which trees are equal, and where comments are kept.
#include <gtest/gtest.h>

#include <string>

#include "tests/syntax/printing.h"

namespace tenrex::syntax {
namespace {

TEST(Comments, AreKeptWithTheirPlaces) {
    const std::string text = "# first\na + # second\r\nb #third";
    const auto ast = parse(text);
    ASSERT_TRUE(ast);
    ASSERT_EQ(ast->comments().size(), 3u);
    EXPECT_EQ(ast->comments()[0], (Span{0, 7}));
    EXPECT_EQ(ast->comments()[1], (Span{12, 20}));
    EXPECT_EQ(ast->comments()[2], (Span{24, 30}));
    EXPECT_EQ(to_string(*ast), "a+b");
    EXPECT_EQ(to_string(*ast, {Dialect::core, true}), "# first\n# second\n#third\na+b");
}

TEST(Comments, AreFoundOnceWhereTheParserLooksTwice) {
    const auto ast = parse("a # x\n(b) # y\n");
    ASSERT_TRUE(ast);
    EXPECT_EQ(to_string(*ast), "a(b)");
    EXPECT_EQ(ast->comments().size(), 2u);
    const auto peek = parse("t{x:i+1 # x\n,y:a # y\n}");
    ASSERT_TRUE(peek);
    EXPECT_EQ(peek->comments().size(), 2u);
}

TEST(Equal, SeesEveryDifference) {
    const char *const different[] = {
        "a",
        "b",
        "1",
        "-1",
        "0",
        "-0",
        "\"a\"",
        "a+b",
        "a-b",
        "b+a",
        "a+b+c",
        "a+(b+c)",
        "-a",
        "!a",
        "cos(a)",
        "sin(a)",
        "pow(a,b)",
        "a^b",
        "max(a,b)",
        "max(a)",
        "min(a)",
        "max(a,b,c)",
        "reduce(a,max)",
        "reduce(a,max,b)",
        "reduce(a,min,b)",
        "a in [1]",
        "a in [2]",
        "a in [1,2]",
        "a in [\"a\"]",
        "if(a,b,c)",
        "if(a,b,c,0.5)",
        "if(a,b,c,0.25)",
        "switch(a){case b: c, default: d}",
        "switch(a){case b: c, case d: e, default: f}",
        "map(t,f(x)(x))",
        "map(t,f(y)(y))",
        "join(a,b,f(x,y)(x))",
        "merge(a,b,f(x,y)(x))",
        "rename(t,a,b)",
        "rename(t,b,a)",
        "rename(t,(a,b),(b,a))",
        "concat(a,b,x)",
        "cell_cast(t,float)",
        "cell_cast(t,int8)",
        "cell_order(t,max)",
        "cell_order(t,min)",
        "range(x[2])",
        "range(x[3])",
        "range<float>(x[2])",
        "range(y[2])",
        "diag(x[2])",
        "unpack_bits(t)",
        "unpack_bits(t,int8)",
        "unpack_bits(t,float,little)",
        "tensor(x[2])(x)",
        "tensor(x[3])(x)",
        "tensor(x[2]):[1]",
        "tensor(x[2]):[1,2]",
        "tensor(x[2]):{{x:0}:1}",
        "tensor(x[2]):{{x:1}:1}",
        "tensor(x{}):{a:1}",
        "tensor(x{}):{b:1}",
        "tensor(x{},y{}):{a:{b:1}}",
        "tensor(x{},y{}):{a:{c:1}}",
        "t{x:a}",
        "t{x:b}",
        "t{y:a}",
        "t{a}",
        "t{x:(a)}",
        "t{x:i+1}",
        "t{x:\"i+1\"}",
        "t{x:(i+1)}",
        "t[a]",
        "t{(a)}",
        "t{x:a}{y:b}",
        "t{x:a,y:b}",
        "clamp(a)",
        "clamp(a,b)",
        "blend(a)",
        "attribute(a)",
        "attribute(b)",
    };
    for (const char *a : different) {
        for (const char *b : different) {
            const auto first = parse_in(Dialect::core, a);
            const auto second = parse_in(Dialect::core, b);
            ASSERT_TRUE(first && second) << a << " and " << b;
            EXPECT_EQ(equal(first->root(), second->root()), a == b) << a << " and " << b;
        }
    }
}

TEST(Equal, IgnoresWhereAndHowThingsAreWritten) {
    const auto a = parse("query( q ) + t{x:\"a\"} # comment\n + 0x10");
    const auto b = parse("($q+t{x:a})+16");
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(equal(a->root(), b->root()));
}

}  // namespace
}  // namespace tenrex::syntax
