// Long, deep and big expressions: no stack overflow, no blow-up, and an error that names the limit.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

std::string repeat(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
        text += piece;
    }
    return text;
}

TEST(Limits, LongChainsTakeNoStack) {
    EXPECT_EQ(type_of("s" + repeat("+r*2", 200000)), "double");
    EXPECT_EQ(type_of("v" + repeat("+v", 200000)), "tensor(x[3])");
    EXPECT_EQ(type_of("s" + repeat(" in [1]", 900)), "double");
    const auto peeks = check_text("m" + repeat("{x:a}", 100000));
    ASSERT_FALSE(peeks);
    EXPECT_EQ(peeks.error().issues().size(), 1u);
    std::string sum = "s";
    for (int i = 0; i < 100000; ++i) {
        sum += "+no_such_name" + std::to_string(i);
    }
    const auto mistakes = check_text(sum);
    ASSERT_FALSE(mistakes);
    EXPECT_EQ(mistakes.error().issues().size(), Limits().issues);
}

TEST(Limits, LongSwitchTakesNoStack) {
    std::string text = "switch(s+1){";
    for (int i = 0; i < 100000; ++i) {
        text += "case " + std::to_string(i) + ": r,";
    }
    const auto checked = check_text(text + "default: 0}");
    ASSERT_TRUE(checked) << checked.error().render();
    EXPECT_LT(checked->node_count(), 450000u);
    EXPECT_EQ(to_string(*checked).substr(0, 30), "if(%1:(s+1)==0,r,if(%1==1,r,if");
}

TEST(Limits, TokenFunctionsGrowLinearly) {
    const auto nodes = [](std::size_t sequences) {
        const auto checked = check_text("tokenInputIds(128" + repeat(",ta", sequences) + ")");
        EXPECT_TRUE(checked) << checked.error().render();
        return checked ? checked->node_count() : 0;
    };
    const std::uint32_t ten = nodes(10);
    EXPECT_LT(nodes(1000), 101 * ten);
}

TEST(Limits, DeepSharingStaysSmall) {
    std::string text = "v";
    for (int i = 0; i < 400; ++i) {
        text = "softmax(" + text + ",x)";
    }
    const auto checked = check_text(text);
    ASSERT_TRUE(checked) << checked.error().render();
    EXPECT_EQ(checked->node_count(), 1u + 400 * 3);
    EXPECT_LT(to_string(*checked).size(), 20000u);

    text = "s";
    for (int i = 0; i < 300; ++i) {
        text = "switch(" + text + "){case 1: 2, case 3: 4, default: 5}";
    }
    const auto switches = check_text("v{x:(" + text + ")}");
    ASSERT_TRUE(switches) << switches.error().render();
    EXPECT_LT(switches->node_count(), 300u * 10);
}

TEST(Limits, ConstantLabelsOfSharedCodeAreFoldedOnce) {
    std::string text = "1";
    for (int i = 0; i < 300; ++i) {
        text = "switch(" + text + "){case 1: 1, case 3: 4, default: 5}";
    }
    EXPECT_EQ(core_of("v{x:(" + text + ")}"), "v{x:1}");
    EXPECT_EQ(core_of("w{x:(0" + repeat("+1-1", 100000) + ")}"), "w{x:0}");
}

TEST(Limits, NestingUpToItsLimitWorks) {
    const std::size_t deep = Limits().nesting - 10;
    EXPECT_EQ(type_of(repeat("if(s,", deep) + "r" + repeat(",1)", deep)), "double");
    EXPECT_EQ(type_of(repeat("if(s,1,", deep) + "r" + repeat(")", deep)), "double");
    EXPECT_EQ(type_of(repeat("(", deep) + "v" + repeat(")+v", deep)), "tensor(x[3])");
    // An operator whose right side is in parentheses and a label in parentheses are two levels each.
    const std::size_t half = deep / 2;
    EXPECT_EQ(type_of(repeat("s+(", half) + "v" + repeat(")", half)), "tensor(x[3])");
    EXPECT_EQ(type_of(repeat("tensor(x[1])(", deep) + "s" + repeat("){x:0}", deep)), "double");
    EXPECT_EQ(type_of(repeat("v{x:(", half) + "s" + repeat(")}", half)), "double");
    EXPECT_EQ(type_of(repeat("map_subspaces(", deep) + "k" + repeat(",f(t)(t))", deep)), "tensor<float>(x{},y[3])");
    EXPECT_EQ(type_of(repeat("map_subspaces(v,f(t)(", deep / 2) + "t" + repeat("+t))", deep / 2)).substr(0, 6),
              "error:")
        << "v is not visible inside";
    EXPECT_EQ(type_of(repeat("switch(s){case 1: ", deep) + "r" + repeat(",default: 0}", deep)), "double");
    EXPECT_EQ(type_of(repeat("softmax(", deep) + "v" + repeat(",x)", deep)), "tensor(x[3])");
    EXPECT_EQ(type_of(repeat("s in [1]+(", half) + "1" + repeat(")", half)), "double");
}

TEST(Limits, NodesAreCounted) {
    CheckOptions options;
    options.limits.nodes = 100;
    EXPECT_TRUE(check_text("s" + repeat("+r", 40), Dialect::core, options));
    const auto checked = check_text("tokenInputIds(128" + repeat(",ta", 20) + ")", Dialect::core, options);
    ASSERT_FALSE(checked);
    EXPECT_NE(checked.error().message().find("the expression has more than 100"), std::string::npos)
        << checked.error().message();
    EXPECT_EQ(checked.error().issues().size(), 1u);
}

TEST(Limits, RandomNumbersAreCounted) {
    CheckOptions options;
    options.limits.nodes = 1000;
    EXPECT_TRUE(check_text("random(x[1000])", Dialect::core, options));
    const auto checked = check_text("random(x[1001])", Dialect::core, options);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message(),
              "1:1: random numbers are made when the expression is checked, and 1001 cells are more than 1000 "
              "(Limits::nodes can be raised)");
}

TEST(Limits, TypesAreChecked) {
    CheckOptions options;
    options.limits.block_cells = 100;
    options.limits.dimensions = 3;
    for (const char *text :
         {"tensor(x[101])(1)", "tensor(x[101]):[1]", "tensor(x[11])(1)*tensor(y[10])(1)",
          "concat(tensor(x[60])(1),tensor(x[60])(1),x)", "tensor(a[1],b[1],c[1],d[1])(1)", "d*e*m*n*tensor(w[1])(1)",
          "unpack_bits(tensor<int8>(x[13])(1))", "tokenInputIds(101,ta)", "range(x[101])", "diag(x[11],y[11])",
          "expand(tensor(a[1],b[1],c[1])(1),d)", "map_subspaces(k,f(t)(t*tensor(z[50])(1)))"}) {
        EXPECT_FALSE(check_text(text, Dialect::core, options)) << text;
    }
    for (const char *text : {"tensor(x[100])(1)", "tensor(x[10])(1)*tensor(y[10])(1)", "tensor(a[1],b[1],c[1])(1)",
                             "unpack_bits(tensor<int8>(x[12])(1))", "tokenInputIds(100,ta)"}) {
        EXPECT_TRUE(check_text(text, Dialect::core, options)) << text;
    }
}

TEST(Limits, BigLiteralsAreLinear) {
    std::string dense = "tensor(x[100000]):[";
    std::string sparse = "tensor(x{}):{";
    std::string verbose = "tensor(x{}):{";
    for (int i = 0; i < 100000; ++i) {
        dense += (i == 0 ? "" : ",") + std::to_string(i);
        sparse += (i == 0 ? "" : ",") + std::to_string(i) + ":1";
        verbose += (i == 0 ? "{x:" : ",{x:") + std::to_string(i) + "}:1";
    }
    EXPECT_EQ(type_of(dense + "]"), "tensor(x[100000])");
    EXPECT_EQ(type_of(sparse + "}"), "tensor(x{})");
    EXPECT_EQ(type_of(verbose + "}"), "tensor(x{})");
}

}  // namespace
}  // namespace tenrex::sema
