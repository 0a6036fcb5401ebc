// What an evaluation may cost: only what is needed, each part once, within limits, without using up the stack.
#include <atomic>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/reference/evaluation.h"

namespace tenrex {
namespace {

// A schema with a function `counted` that counts its calls.
class Counting : public testing::Test {
protected:
    Counting() {
        schema_.document("a").document("t", "tensor(x[3])").document("s", "tensor(k{})");
        schema_.function("counted", 1, [this](std::span<const double> arguments) {
            ++calls_;
            return arguments[0];
        });
    }
    // The number of calls while the expression is evaluated.
    int calls(const std::string &text, double a = 1.0) {
        const auto expression = Expression::parse(text, schema_);
        if (!expression) {
            ADD_FAILURE() << expression.error().render();
            return -1;
        }
        calls_ = 0;
        const auto value = expression->evaluate_reference({{"a", Tensor(a)},
                                                           {"t", *from_literal("tensor(x[3]):[1,2,3]")},
                                                           {"s", *from_literal("tensor(k{}):{u:1,v:2}")}});
        EXPECT_TRUE(value) << text;
        return calls_;
    }

    Schema schema_;
    int calls_ = 0;
};

TEST_F(Counting, OnlyTheChosenBranchIsEvaluated) {
    EXPECT_EQ(calls("if(a,1,counted(a))"), 0);
    EXPECT_EQ(calls("if(a,counted(a),1)"), 1);
    EXPECT_EQ(calls("if(a,counted(a),1)", 0), 0);
    EXPECT_EQ(calls("map(t,f(x)(if(x>2,counted(x),0)))"), 1);
    EXPECT_EQ(calls("tensor(x[5])(if(x<2,counted(x),0))"), 2);
    EXPECT_EQ(calls("if(a,t,map(t,f(x)(counted(x))))"), 0);
}

TEST_F(Counting, AndAndOrEvaluateBothSides) {
    EXPECT_EQ(calls("a && counted(a)", 0), 1);
    EXPECT_EQ(calls("a || counted(a)", 1), 1);
}

TEST_F(Counting, SharedPartsAreEvaluatedOnce) {
    EXPECT_EQ(calls("softmax(map(t,f(x)(counted(x))),x)"), 3);
    EXPECT_EQ(calls("switch(counted(a)){case 5: 1, case 6: 2, case 7: 3, default: 4}"), 1);
    EXPECT_EQ(calls("map(t,f(x)(switch(counted(x)){case 5: 1, case 6: 2, default: 4}))"), 3);
    EXPECT_EQ(calls("l2_normalize(l2_normalize(l2_normalize(map(t,f(x)(counted(x))),x),x),x)"), 3);
}

TEST_F(Counting, WhatIsTheSameForAllCellsOfAGeneratorIsEvaluatedOnce) {
    EXPECT_EQ(calls("tensor(x[10])(counted(a)+x)"), 1);
    EXPECT_EQ(calls("tensor(x[10])(counted(x)+a)"), 10);
    EXPECT_EQ(calls("tensor(x[10])(sum(tensor(y[10])(counted(x)+y)))"), 10);
    EXPECT_EQ(calls("tensor(x[10])(sum(tensor(y[10])(counted(y)+x)))"), 100);
    EXPECT_EQ(calls("tensor(x[10])(if(x>100,counted(a),0))"), 0);
    EXPECT_EQ(calls("tensor(x[10])(if(x>7,counted(a),0))"), 1);
}

TEST_F(Counting, OncePerCell) {
    EXPECT_EQ(calls("counted(t)"), 3);
    EXPECT_EQ(calls("counted(s)"), 2);
    EXPECT_EQ(calls("counted(t*s)"), 6);
    EXPECT_EQ(calls("map_subspaces(s,f(v)(counted(v)))"), 2);
}

TEST(UserFunctions, TakeOneTwoOrMoreArguments) {
    Schema schema;
    schema.document("t", "tensor<float>(x[2])").document("s", "tensor(k{})");
    schema.function("twice", 1, [](std::span<const double> a) { return 2 * a[0]; });
    schema.function("minus", 2, [](std::span<const double> a) { return a[0] - a[1]; });
    schema.function("clamp", 3,
                    [](std::span<const double> a) { return a[0] < a[1] ? a[1] : (a[0] > a[2] ? a[2] : a[0]); });
    const std::vector<NamedTensor> values = {{"t", *from_literal("tensor<float>(x[2]):[1,5]")},
                                             {"s", *from_literal("tensor(k{}):{u:10}")}};
    const auto value = [&](const char *text) {
        const auto expression = Expression::parse(text, schema);
        return expression ? to_literal(*expression->evaluate_reference(values)) : expression.error().message();
    };
    EXPECT_EQ(value("twice(4)"), "8");
    EXPECT_EQ(value("twice(t)"), "tensor<float>(x[2]):[2,10]");
    EXPECT_EQ(value("minus(t,1)"), "tensor<float>(x[2]):[0,4]");
    EXPECT_EQ(value("minus(s,t)"), "tensor(k{},x[2]):{u:[9,5]}");
    EXPECT_EQ(value("clamp(7,0,3)"), "3");
    EXPECT_EQ(value("map(t,f(x)(clamp(x,2,3)))"), "tensor<float>(x[2]):[2,3]");
}

TEST(UserFunctions, AnExceptionBecomesAnError) {
    Schema schema;
    schema.function("bad", 1, [](std::span<const double>) -> double { throw std::runtime_error("oops"); });
    schema.document("a");
    const auto expression = Expression::parse("1+bad(a)", schema);
    ASSERT_TRUE(expression) << expression.error().render();
    const auto value = expression->evaluate_reference({{"a", Tensor(1.0)}});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().render(),
              "1:3: error: a user function threw an exception\n"
              "  1+bad(a)\n"
              "    ^~~~~~\n"
              "  hint: user functions must not throw\n");
}

// ---- limits

ExpressionOptions cells(std::uint64_t most) {
    ExpressionOptions options;
    options.limits.evaluation_cells = most;
    return options;
}
ExpressionOptions steps(std::uint64_t most) {
    ExpressionOptions options;
    options.limits.evaluation_steps = most;
    return options;
}

TEST(EvaluationLimits, CellsAtATime) {
    EXPECT_TRUE(gives("sum(tensor(x[100])(x))", "4950", cells(101)));
    EXPECT_TRUE(fails("sum(tensor(x[101])(x))", {}, "more than 100 cells", cells(100)));
    const auto failed = evaluate("1+reduce(tensor(x[10])(x)*tensor(y[10])(y),median)", {}, cells(100));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().render(),
              "1:10: error: the intermediate results would hold more than 100 cells at a time; this one, of type "
              "tensor(x[10],y[10]), needs 100 more\n"
              "  1+reduce(tensor(x[10])(x)*tensor(y[10])(y),median)\n"
              "           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
              "  hint: make the tensors smaller, or raise the limit evaluation_cells\n");
}

TEST(EvaluationLimits, WhatIsNotNeededAnyMoreDoesNotCount) {
    std::string text = "0";
    for (int i = 0; i < 50; ++i) {
        text += "+sum(tensor(x[100])(x))";
    }
    EXPECT_TRUE(gives(text, "247500", cells(150)));
}

TEST(EvaluationLimits, SparseResultsCountAsTheyGrow) {
    std::string labels;
    for (int i = 0; i < 100; ++i) {
        labels += (i == 0 ? "" : ",") + std::to_string(i) + ":1";
    }
    const Literals inputs = {{"a", "tensor(a{}):{" + labels + "}"}, {"b", "tensor(b{}):{" + labels + "}"}};
    EXPECT_TRUE(gives("reduce(a*b,median)", inputs, "1", cells(100000)));
    EXPECT_TRUE(fails("reduce(a*b,median)", inputs, "tensor(a{},b{})", cells(10000)));
}

TEST(EvaluationLimits, WhatIsReducedAsItIsComputedIsNotStored) {
    for (const auto &[text, value] : std::vector<std::pair<std::string, std::string>>{
             {"sum(tensor(x[30])(x)*tensor(y[40])(y))", "339300"},
             {"sum((tensor(x[30])(x)-tensor(y[40])(y))^2)", "279800"},
             {"reduce(abs(tensor(x[30])(x)-tensor(y[40])(y)),max)", "39"},
             {"reduce(join(tensor(x[30])(x),tensor(y[40])(y),f(p,q)(p+q)),avg)", "34"},
             {"sum(map(tensor(x[30])(x)*tensor(y[40])(y),f(p)(p>1000)))", "12"},
             {"sum(sum(tensor(x[30])(x)*tensor(y[40])(y),x))", "339300"}}) {
        EXPECT_TRUE(gives(text, value, cells(200)));
    }
    // What something else reads, too, is stored.
    EXPECT_TRUE(fails("sum(l1_normalize(tensor(x[30])(x)*tensor(y[40])(y),x))", {}, "more than 200 cells", cells(200)));
}

TEST(EvaluationLimits, Steps) {
    EXPECT_TRUE(gives("sum(tensor(x[100])(x))", "4950", steps(1000)));
    EXPECT_TRUE(fails("sum(tensor(x[10000])(x*x))", {}, "more than 1000 steps", steps(1000)));
    EXPECT_TRUE(fails("tensor(a[9999])(sum(tensor(b[9999])(a*b)))", {}, "steps", steps(100000)));
}

// ---- the stack

std::string repeated(const std::string &text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) {
        result += text;
    }
    return result;
}

TEST(Stack, LongChains) {
    EXPECT_TRUE(gives("a" + repeated("+a", 100000), {{"a", "1"}}, "100001"));
    EXPECT_TRUE(gives("a" + repeated("-a*a", 50000), {{"a", "1"}}, "-49999"));
    EXPECT_TRUE(gives("t" + repeated("+t", 10000), {{"t", "tensor(x[2]):[1,2]"}}, "tensor(x[2]):[10001,20002]"));
    EXPECT_TRUE(gives("map(3,f(x)(x" + repeated("+x", 50000) + "))", "150003"));
    EXPECT_TRUE(gives("a" + repeated(" in [1]", 900), {{"a", "1"}}, "1"));
    EXPECT_TRUE(gives("switch(a){" + repeated("case 1: 2, ", 20000) + "default: 3}", {{"a", "5"}}, "3"));
    EXPECT_TRUE(gives("map(5,f(x)(switch(x){" + repeated("case 1: 2, ", 5000) + "default: 3}))", "3"));
}

TEST(Stack, DeepNesting) {
    const std::size_t depth = Limits{}.nesting - 10;
    EXPECT_TRUE(gives(repeated("(1+", depth / 2) + "0" + repeated(")", depth / 2), std::to_string(depth / 2)));
    EXPECT_TRUE(gives(repeated("abs(", depth) + "-7" + repeated(")", depth), "7"));
    EXPECT_TRUE(gives(repeated("-", depth) + "a", {{"a", "7"}}, depth % 2 == 0 ? "7" : "-7"));
    EXPECT_TRUE(gives(repeated("if(1,", depth) + "7" + repeated(",0)", depth), "7"));
    EXPECT_TRUE(gives(repeated("if(0,0,", depth) + "7" + repeated(")", depth), "7"));
    EXPECT_TRUE(
        gives(repeated("map(", depth / 2) + "1" + repeated(",f(x)(x+1))", depth / 2), std::to_string(depth / 2 + 1)));
}

TEST(Stack, DeepNestingOfLambdasAndGenerators) {
    const std::size_t depth = Limits{}.nesting / 2 - 10;
    EXPECT_TRUE(gives(repeated("sum(tensor(x[1])(", depth / 2) + "7" + repeated("))", depth / 2), "7"));
    EXPECT_TRUE(gives(repeated("tensor(x[1])(", depth / 2) + "x+7" + repeated("){x:0}", depth / 2), "7"));
    EXPECT_TRUE(gives(repeated("map_subspaces(1,f(v)(", depth / 2) + "7" + repeated("))", depth / 2), "7"));
    // More slots than the evaluator has bits for.
    std::string text = "0";
    for (int i = 99; i >= 0; --i) {
        const std::string x = "x" + std::to_string(i);
        text = "sum(tensor(" + x + "[2])(" + text + "+" + (i % 10 == 0 ? x : "0") + "))";
    }
    text.replace(text.find("0+"), 1, "x99");
    EXPECT_TRUE(fails(text, {}, "steps", steps(100000)));
}

TEST(Sharing, NestedSurfaceFormsDoNotExplode) {
    // Each form uses its operand twice or more: 2^200 evaluations without sharing.
    EXPECT_TRUE(gives("sum(" + repeated("l1_normalize(", 200) + "t" + repeated(",x)", 200) + ")",
                      {{"t", "tensor(x[4]):[1,1,1,1]"}}, "1"));
    EXPECT_TRUE(gives(repeated("switch(", 100) + "a" + repeated("){case 0: 1, case 1: 2, default: 0}", 100),
                      {{"a", "0"}}, "1"));
    EXPECT_TRUE(gives(
        "map(0,f(a)(" + repeated("switch(", 100) + "a" + repeated("){case 0: 1, case 1: 2, default: 0}", 100) + "))",
        "1"));
}

// ---- size

TEST(Size, LargeValuesTakeNoTime) {
    EXPECT_TRUE(gives("sum(tensor(x[64],k[64])(x)*tensor(k[64],y[64])(y))", "260112384"));
    std::string cells;
    for (int i = 0; i < 10000; ++i) {
        cells += (i == 0 ? "" : ",") + std::to_string(i) + ":1";
    }
    const Literals inputs = {{"a", "tensor(k{}):{" + cells + "}"}};
    EXPECT_TRUE(gives("sum(a*a)", inputs, "10000"));
    EXPECT_TRUE(gives("sum(merge(a,a,f(x,y)(x+y)))", inputs, "20000"));
    EXPECT_TRUE(gives("reduce(cell_order(a,max),max)", inputs, "9999"));
    EXPECT_TRUE(gives("sum(tensor(k{}):{" + cells + "}*a)", inputs, "10000"));
}

}  // namespace
}  // namespace tenrex
