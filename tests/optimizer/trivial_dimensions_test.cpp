#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::trivial_dimensions_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(u[1],x[3])")
        .document("b", "tensor<int8>(x[3])")
        .document("m", "tensor<float>(k{},u[1],x[3])")
        .document("v", "tensor<float>(u[1])");
    return schema;
}

TEST(TrivialDimensions, ASumBeginsWithZero) {
    EXPECT_EQ(after("trivial_dimensions", "sum(v)", schema()), R"(
%0 = input "v" : tensor<float>(u[1]) document
%1 = peek {u:0} %0 : double document
%2 = constant 0 : double constant
%3 = apply + %1 %2 : double document
return %3
)");
}

TEST(TrivialDimensions, OthersTakeTheCell) {
    EXPECT_EQ(after("trivial_dimensions", "reduce(m,median,u)", schema()), R"(
%0 = input "m" : tensor<float>(k{},u[1],x[3]) document
%1 = peek {u:0} %0 : tensor<float>(k{},x[3]) document
return %1
)");
}

TEST(TrivialDimensions, OnesAddDimensions) {
    EXPECT_EQ(after("trivial_dimensions", "b*tensor<int8>(w[1]):[1]", schema()), R"(
%0 = input "b" : tensor<int8>(x[3]) document
%1 = constant tensor<int8>(w[1]):[1] : tensor<int8>(w[1]) constant
%2 = cast %0 : tensor<float>(x[3]) document
%3 = join_addresses %2 %1 : tensor<float>(w[1],x[3]) document
return %3
)");
    // No dimension that is not there already.
    EXPECT_EQ(after("trivial_dimensions", "tensor<float>(u[1]):[1]*a", schema()), R"(
%0 = input "a" : tensor<float>(u[1],x[3]) document
return %0
)");
}

// As models in files write the scale of attention.
TEST(TrivialDimensions, ASingleCellIsANumber) {
    EXPECT_EQ(after("trivial_dimensions", "b*tensor<float>(w[1]):[0.25]{w:0}", schema()), R"(
%0 = input "b" : tensor<int8>(x[3]) document
%1 = constant 0.25 : double constant
%2 = apply * %0 %1 : tensor<float>(x[3]) document
return %2
)");
    // Beside a value that has its dimensions.
    EXPECT_EQ(after("trivial_dimensions", "a/tensor<float>(u[1],w[1]):[[4]]{w:0}", schema()), R"(
%0 = input "a" : tensor<float>(u[1],x[3]) document
%1 = constant 4 : double constant
%2 = apply / %0 %1 : tensor<float>(u[1],x[3]) document
return %2
)");
    // A dimension that comes from it stays, and so does one whose cells are more.
    EXPECT_FALSE(changes("trivial_dimensions", "b/tensor<float>(w[1]):[4]", schema()));
    EXPECT_FALSE(changes("trivial_dimensions", "b+tensor<float>(w[2]):[1,2]{w:0}", schema()));
}

// As models in files write the average of rows, whose dimension stays as one of size 1.
TEST(TrivialDimensions, WhatIsPeekedAwayWasNeverThere) {
    EXPECT_EQ(after("trivial_dimensions", "sqrt(tensor<int8>(x[1])(1)*reduce(a,avg,x)+0.5){x:0}", schema()), R"(
%0 = input "a" : tensor<float>(u[1],x[3]) document
%1 = reduce avg (x) %0 : tensor<float>(u[1]) document
%2 = constant 0.5 : double constant
%3 = apply + %1 %2 : tensor<float>(u[1]) document
%4 = apply sqrt %3 : tensor<float>(u[1]) document
return %4
)");
    // With the labels, or with other dimensions, of what it was joined with.
    EXPECT_FALSE(changes("trivial_dimensions", "(b*tensor<int8>(w[1],z[2])(1)){w:0}", schema()));
    for (const char *text : {"(tensor<int8>(x[1])(1)*reduce(m,max,x)+m){x:0}", "(m*tensor(w[1])(1)/3){w:0}",
                             "sum((2-tensor(w[1])(1)*m){u:0},x)"}) {
        const Values values =
            random_values("m", Stage::document, "tensor<float>(k{},u[1],x[1])", 4, random::Numbers::smooth, 3);
        EXPECT_EQ(wrong_value(text, {values}), "") << text;
    }
}

TEST(TrivialDimensions, LeavesTheRest) {
    for (const char *text : {"sum(a)", "sum(a,x)", "sum(m,k,u)", "reduce(a,count,u)", "b+tensor<float>(u[1]):[1]",
                             "a*tensor<float>(k{}):{p:1}", "b*tensor<int8>(x[3]):[1,1,1]"}) {
        EXPECT_FALSE(changes("trivial_dimensions", text, schema())) << text;
    }
}

TEST(TrivialDimensions, KeepsOddNumbers) {
    for (const char *literal : {"tensor(u[1]):[nan]", "tensor(u[1]):[-0.0]", "tensor(u[1]):[inf]"}) {
        const Values odd{"a", Stage::document, literals({literal})};
        for (const char *text : {"1/sum(a)", "1/avg(a)", "1/reduce(a,max)", "1/reduce(a,min,u)", "1/reduce(a,prod)",
                                 "1/reduce(a,median)", "1/(a*tensor(w[1]):[1])", "reduce(a,count)"}) {
            EXPECT_EQ(wrong_value(text, {odd}), "") << text << " of " << literal;
        }
    }
    const Values no_blocks{"a", Stage::document, literals({"tensor(k{},u[1]):{}", "tensor(k{},u[1]):{p:[3]}"})};
    for (const char *text : {"sum(a,u)", "reduce(a,max,u)", "sum(a)"}) {
        EXPECT_EQ(wrong_value(text, {no_blocks}), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::trivial_dimensions_test
