// Literals, generators, lambdas over dense blocks, and `if`.
#include "tests/reference/evaluation.h"

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(Literal, Forms) {
    EXPECT_TRUE(gives("tensor(x[3]):[1,2,3]", "tensor(x[3]):[1,2,3]"));
    EXPECT_TRUE(gives("tensor(x[3]):[1]", "tensor(x[3]):[1,0,0]"));
    EXPECT_TRUE(gives("tensor(x[3]):[]", "tensor(x[3]):[0,0,0]"));
    EXPECT_TRUE(gives("tensor(x{}):{}", "tensor(x{}):{}"));
    EXPECT_TRUE(gives("tensor(x{}):{a:1,\"b c\":2}", "tensor(x{}):{a:1,'b c':2}"));
    EXPECT_TRUE(gives("tensor(x[2]):{{x:1}:7}", "tensor(x[2]):[0,7]"));
    EXPECT_TRUE(gives("tensor(k{},x[2]):{{k:a,x:1}:7,{x:0,k:b}:8}", "tensor(k{},x[2]):{a:[0,7],b:[8,0]}"));
    EXPECT_TRUE(gives("tensor(a{},b{},x[2]):{a1:{b1:[1,2]}}", "tensor(a{},b{},x[2]):{a1:{b1:[1,2]}}"));
    EXPECT_TRUE(fails("tensor(x[3]):{}", {}, ""));
    EXPECT_TRUE(fails("tensor(x[2]):{0:1,1:2}", {}, ""));
    EXPECT_TRUE(fails("tensor(x[2]):[1,2,3]", {}, ""));
}

TEST(Literal, DimensionsNestAsWritten) {
    EXPECT_TRUE(gives("tensor(y[2],x[3]):[[1,2,3],[4,5,6]]", "tensor(x[3],y[2]):[[1,4],[2,5],[3,6]]"));
    EXPECT_TRUE(gives("tensor(x[2],y{}):[{a:1},{b:2}]", "tensor(x[2],y{}):{{x:0,y:a}:1,{x:1,y:b}:2}"));
    EXPECT_TRUE(gives("tensor(x[1],y{}):[{}]", "tensor(x[1],y{}):{}"));
}

TEST(Literal, CellsAreExpressions) {
    EXPECT_TRUE(
        gives("tensor(x[3]):[a+1,sum(t),t{x:1}]", {{"a", "5"}, {"t", "tensor(x[2]):[1,2]"}}, "tensor(x[3]):[6,3,2]"));
    EXPECT_TRUE(gives("tensor<int8>(x{}):{a:1.9,b:300}", "tensor<int8>(x{}):{a:1,b:44}"));
    EXPECT_TRUE(gives("tensor<bfloat16>(x[1]):[257]", "tensor<bfloat16>(x[1]):[256]"));
}

TEST(Literal, TheFirstOfTwoCellsCounts) {
    EXPECT_TRUE(gives("tensor(x{}):{a:1,a:2}", "tensor(x{}):{a:1}"));
    EXPECT_TRUE(gives("tensor(x[2]):{{x:0}:1,{x:0}:2}", "tensor(x[2]):[1,0]"));
    EXPECT_TRUE(gives("tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:5,{k:a,x:0}:2}", "tensor(k{},x[2]):{a:[1,5]}"));
}

TEST(Generator, CountsIndexes) {
    EXPECT_TRUE(gives("tensor(x[3])(x)", "tensor(x[3]):[0,1,2]"));
    EXPECT_TRUE(gives("tensor(x[2],y[3])(x*10+y)", "tensor(x[2],y[3]):[[0,1,2],[10,11,12]]"));
    EXPECT_TRUE(gives("tensor(y[3],x[2])(x*10+y)", "tensor(x[2],y[3]):[[0,1,2],[10,11,12]]"));
    EXPECT_TRUE(gives("tensor<int8>(x[3])(x*100)", "tensor<int8>(x[3]):[0,100,-56]"));
    EXPECT_TRUE(gives("tensor(x[2])(7)", "tensor(x[2]):[7,7]"));
    EXPECT_TRUE(gives("tensor<bfloat16>(x[1])(257)", "tensor<bfloat16>(x[1]):[256]"));
    EXPECT_TRUE(fails("tensor(x{})(1)", {}, "mapped"));
    EXPECT_TRUE(fails("tensor(x[3])(t)", {{"t", "tensor(y[2]):[1,2]"}}, "tensor(y[2])"));
}

TEST(Generator, SeesWhatIsAround) {
    const Literals inputs = {{"a", "10"}, {"t", "tensor(y[3]):[5,6,7]"}};
    EXPECT_TRUE(gives("tensor(x[3])(a+x)", inputs, "tensor(x[3]):[10,11,12]"));
    EXPECT_TRUE(gives("tensor(x[3])(t{y:(2-x)})", inputs, "tensor(x[3]):[7,6,5]"));
    EXPECT_TRUE(gives("tensor(x[2])(sum(tensor(z[3])(z*10+x)))", inputs, "tensor(x[2]):[30,33]"));
    EXPECT_TRUE(gives("tensor(x[2])(tensor(z[3])(z*10+x){z:2}+sum(t))", inputs, "tensor(x[2]):[38,39]"));
    EXPECT_TRUE(gives("tensor(x[2])(sum(tensor(x[3])(x)))", inputs, "tensor(x[2]):[3,3]"));
    EXPECT_TRUE(gives("tensor(x[2])(sum(map(t,f(x)(x*x)))+x)", inputs, "tensor(x[2]):[110,111]"));
    EXPECT_TRUE(gives("tensor(x[2])(if(x==0,sum(t),a))", inputs, "tensor(x[2]):[18,10]"));
}

TEST(Generator, WhatDoesNotDependOnTheIndexStaysRight) {
    // Nested generators: parts that depend on none, the outer, the inner and both indexes.
    EXPECT_TRUE(
        gives("tensor(x[2])(sum(tensor(y[2])(sqrt(16)+sqrt(x*100)+sqrt(y)+sqrt(4*x*y))))", "tensor(x[2]):[9,31]"));
    EXPECT_TRUE(gives("tensor(x[2],y[2])(sum(tensor(z[2])(x+2*y+4*z)))", "tensor(x[2],y[2]):[[4,8],[6,10]]"));
}

TEST(MapSubspaces, GetsTheDenseBlock) {
    const Literals inputs = {{"t", "tensor(k{},x[3]):{a:[1,2,3],b:[4,5,7]}"},
                             {"s", "tensor<int8>(k{}):{a:1,b:2}"},
                             {"d", "tensor(x[2],y[2]):[[1,2],[3,4]]"}};
    EXPECT_TRUE(gives("map_subspaces(t,f(v)(reduce(v,max,x)))", inputs, "tensor(k{}):{a:3,b:7}"));
    EXPECT_TRUE(gives("map_subspaces(t,f(v)(v*v))", inputs, "tensor(k{},x[3]):{a:[1,4,9],b:[16,25,49]}"));
    EXPECT_TRUE(gives("map_subspaces(t,f(v)(tensor(y[2])(v{x:(y+1)})))", inputs, "tensor(k{},y[2]):{a:[2,3],b:[5,7]}"));
    EXPECT_TRUE(gives("map_subspaces(s,f(v)(v/4))", inputs, "tensor<float>(k{}):{a:0.25,b:0.5}"));
    EXPECT_TRUE(gives("map_subspaces(s,f(v)(tensor<int8>(y[2])(v*100+y)))", inputs,
                      "tensor<int8>(k{},y[2]):{a:[100,101],b:[-56,-55]}"));
    EXPECT_TRUE(gives("map_subspaces(d,f(v)(reduce(v,sum,y)))", inputs, "tensor(x[2]):[3,7]"));
    EXPECT_TRUE(gives("map_subspaces(d,f(v)(sum(v)))", inputs, "10"));
    EXPECT_TRUE(gives("map_subspaces(5,f(v)(v+1))", "6"));
    EXPECT_TRUE(gives("map_subspaces(5,f(v)(tensor(x[2])(v+x)))", "tensor(x[2]):[5,6]"));
    EXPECT_TRUE(gives("map_subspaces(t,f(v)(sum(v)))", {{"t", "tensor<float>(k{},x[2]):{}"}}, "tensor<float>(k{}):{}"));
    EXPECT_TRUE(
        gives("map_subspaces(t,f(v)(map_subspaces(v,f(w)(w+1))))", inputs, "tensor(k{},x[3]):{a:[2,3,4],b:[5,6,8]}"));
    EXPECT_TRUE(fails("map_subspaces(t,f(v)(tensor(k[2])(1)))", inputs, "k"));
    EXPECT_TRUE(fails("map_subspaces(t,f(v)(tensor(q{}):{a:1}))", inputs, "mapped"));
    EXPECT_TRUE(fails("map_subspaces(t,f(v)(v+s))", inputs, "s"));
}

TEST(FilterSubspaces, KeepsTheBlocksWithANonZeroResult) {
    const Literals inputs = {{"t", "tensor<int8>(k{},x[2]):{a:[1,2],b:[0,0],c:[3,-3]}"},
                             {"s", "tensor(k{}):{a:1,b:0,c:nan}"},
                             {"d", "tensor(x[2]):[1,2]"}};
    EXPECT_TRUE(gives("filter_subspaces(s,f(v)(v))", inputs, "tensor(k{}):{a:1,c:nan}"));
    EXPECT_TRUE(gives("filter_subspaces(s,f(v)(v<1))", inputs, "tensor(k{}):{b:0}"));
    EXPECT_TRUE(gives("filter_subspaces(t,f(v)(v))", inputs, "tensor<int8>(k{},x[2]):{a:[1,2]}"));
    EXPECT_TRUE(gives("filter_subspaces(t,f(v)(reduce(v,max)>2))", inputs, "tensor<int8>(k{},x[2]):{c:[3,-3]}"));
    EXPECT_TRUE(gives("filter_subspaces(t,f(v)(0))", inputs, "tensor<int8>(k{},x[2]):{}"));
    EXPECT_TRUE(gives("sum(filter_subspaces(t,f(v)(1)))", inputs, "3"));
    EXPECT_TRUE(gives("tensor(z[2])(sum(filter_subspaces(s,f(v)(sum(tensor(y[2])(v*y))>3))+z))",
                      {{"s", "tensor(k{}):{a:1,b:0,c:5}"}}, "tensor(z[2]):[5,6]"));
    EXPECT_TRUE(fails("filter_subspaces(d,f(v)(1))", inputs, "mapped"));
    EXPECT_TRUE(fails("filter_subspaces(5,f(v)(1))", inputs, "mapped"));
}

TEST(If, ChoosesByTheCondition) {
    EXPECT_TRUE(gives("if(1,2,3)", "2"));
    EXPECT_TRUE(gives("if(0,2,3)", "3"));
    EXPECT_TRUE(gives("if(-0.5,2,3,0.9)", "2"));
    EXPECT_TRUE(gives("if(0/0,2,3)", "2"));
    EXPECT_TRUE(gives("if(t,2,3)", {{"t", "tensor(x[2]):[1,-1]"}}, "3"));
    EXPECT_TRUE(gives("if(t,2,3)", {{"t", "tensor(x{}):{}"}}, "3"));
    EXPECT_TRUE(gives("if(c,t,t*2)", {{"c", "0"}, {"t", "tensor(x[2]):[1,2]"}}, "tensor(x[2]):[2,4]"));
    EXPECT_TRUE(gives("if(1,2,if(1,3,4))+if(0,1,if(0,1,if(1,5,6)))", "7"));
    EXPECT_TRUE(gives("switch(a){case 1: 10, case 2: 20, default: 30}", {{"a", "2"}}, "20"));
    EXPECT_TRUE(gives("switch(a){case 1: 10, case 2: 20, default: 30}", {{"a", "7"}}, "30"));
    EXPECT_TRUE(fails("if(1,t,2)", {{"t", "tensor(x[2]):[1,2]"}}, "tensor(x[2])"));
}

}  // namespace
}  // namespace tenrex
