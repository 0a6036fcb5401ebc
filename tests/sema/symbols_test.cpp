#include "lib/sema/symbols.h"

#include <gtest/gtest.h>

#include <string>

#include "lib/syntax/parser.h"

namespace tenrex::sema {
namespace {

// "a b?": the symbols with a mark behind those that may be none.
std::string symbols(std::string_view text, Dialect dialect = Dialect::core) {
    const std::string_view functions[] = {"twice"};
    syntax::ParseOptions options;
    options.dialect = dialect;
    options.user_functions = functions;
    const Result<syntax::Ast> ast = syntax::parse(text, options);
    if (!ast) {
        return "error: " + ast.error().message();
    }
    std::string result;
    for (const FreeSymbol &symbol : free_symbols(*ast)) {
        result += (result.empty() ? "" : " ") + symbol.name + (symbol.maybe ? "?" : "");
    }
    return result;
}

TEST(FreeSymbols, AreInTheOrderOfFirstUse) {
    EXPECT_EQ(symbols("b+a*b-c"), "b a c");
    EXPECT_EQ(symbols("1+2"), "");
    EXPECT_EQ(symbols("query( q ) + $q + attribute(a).b"), "query(q) attribute(a).b");
    EXPECT_EQ(symbols("if(a,b,c)+(d in [1,2])"), "a b c d");
    EXPECT_EQ(symbols("switch(a){case b: c, case d: e, default: f}"), "a b c d e f");
    EXPECT_EQ(symbols("-a^twice(b)"), "a b");
    EXPECT_EQ(symbols("true+false+\"text\""), "");
    EXPECT_EQ(symbols("a in [b]", Dialect::java), "a b");
}

TEST(FreeSymbols, AreNotTheNamesOfDimensionsAndParameters) {
    EXPECT_EQ(symbols("reduce(t,sum,x)+rename(u,y,z)+concat(v,w,k)"), "t u v w");
    EXPECT_EQ(symbols("map(t,f(x)(x+y))+join(u,t,f(a,b)(a*b))"), "t u");
    EXPECT_EQ(symbols("map_subspaces(t,f(b)(b+c))"), "t");
    EXPECT_EQ(symbols("tensor(x[2],y[2])(x+y+z)+x"), "z x");
    EXPECT_EQ(symbols("tensor(x[2])(tensor(y[2])(x+y+a){y:(y)}+x)"), "a y");
    EXPECT_EQ(symbols("tensor(x{}):{a:b,c:d}+tensor(x{}):{{x:e}:f}+tensor(x[2]):[g,h]"), "b d f g h");
    EXPECT_EQ(symbols("tokenInputIds(128,a,b)+softmax(c,d)+unpack_bits(e)+range(x[3])"), "a b c e");
}

TEST(FreeSymbols, MayBeDimensionsOrLabels) {
    EXPECT_EQ(symbols("max(t,x)"), "t x?");
    EXPECT_EQ(symbols("max(t,x)+x"), "t x");
    EXPECT_EQ(symbols("x+max(t,x)"), "x t");
    EXPECT_EQ(symbols("min(t,x+1)"), "t x");
    EXPECT_EQ(symbols("min(t,query(q))"), "t query(q)");
    EXPECT_EQ(symbols("max(t,x,y)"), "t");
    EXPECT_EQ(symbols("atan2(t,x)"), "t x");
    EXPECT_EQ(symbols("t{x:foo}"), "t");
    EXPECT_EQ(symbols("t{x:(foo)}"), "t foo");
    EXPECT_EQ(symbols("t[foo]"), "t foo");
    EXPECT_EQ(symbols("t{x:i+j}"), "t i? j?");
    EXPECT_EQ(symbols("t{x:i+j}+i"), "t i j?");
    EXPECT_EQ(symbols("tensor(x[2])(max(t,x))"), "t");
}

TEST(FreeSymbols, KnowTheirFirstUse) {
    const Result<syntax::Ast> ast = syntax::parse("1 + bb * bb");
    ASSERT_TRUE(ast);
    ASSERT_EQ(free_symbols(*ast).size(), 1u);
    EXPECT_EQ(free_symbols(*ast)[0].first_use, (Span{4, 6}));
}

TEST(FreeSymbols, OfVeryLongChainsTakeNoStack) {
    std::string sum = "a0";
    std::string peeks = "t";
    for (int i = 1; i < 200000; ++i) {
        sum += "+a" + std::to_string(i % 100);
        peeks += "{x:0}";
    }
    const Result<syntax::Ast> ast = syntax::parse(sum + "+" + peeks);
    ASSERT_TRUE(ast) << ast.error().render();
    EXPECT_EQ(free_symbols(*ast).size(), 101u);
}

}  // namespace
}  // namespace tenrex::sema
