// map, join, merge and concat in all layouts.
#include "tests/reference/evaluation.h"

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(Map, KeepsTheLayout) {
    EXPECT_TRUE(gives("map(3,f(x)(x*x))", "9"));
    EXPECT_TRUE(gives("map(t,f(x)(x*x))", {{"t", "tensor(x[3]):[1,2,3]"}}, "tensor(x[3]):[1,4,9]"));
    EXPECT_TRUE(gives("map(t,f(x)(x+1))", {{"t", "tensor(k{}):{a:1,'b c':2}"}}, "tensor(k{}):{a:2,'b c':3}"));
    EXPECT_TRUE(gives("-t", {{"t", "tensor(k{},x[2]):{a:[1,-2]}"}}, "tensor(k{},x[2]):{a:[-1,2]}"));
    EXPECT_TRUE(gives("!t", {{"t", "tensor(x[3]):[0,1,nan]"}}, "tensor(x[3]):[1,0,0]"));
    EXPECT_TRUE(gives("exp(t)", {{"t", "tensor(k{}):{}"}}, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("exp(t)", {{"t", "tensor(k{},x[2]):{}"}}, "tensor(k{},x[2]):{}"));
    EXPECT_TRUE(gives("sqrt(t)", {{"t", "tensor(z[1]):[4]"}}, "tensor(z[1]):[2]"));
}

TEST(Map, RoundsToTheCellTypeOnce) {
    // Inside the lambda it is double: 2^24 + 1 is lost only at the end.
    EXPECT_TRUE(
        gives("map(t,f(x)(x+1-16777216))", {{"t", "tensor<float>(x[1]):[16777216]"}}, "tensor<float>(x[1]):[1]"));
    EXPECT_TRUE(gives("t+1-16777216", {{"t", "tensor<float>(x[1]):[16777216]"}}, "tensor<float>(x[1]):[0]"));
    EXPECT_TRUE(gives("t*2", {{"t", "tensor<int8>(x[1]):[100]"}}, "tensor<float>(x[1]):[200]"));
    EXPECT_TRUE(gives("t*3", {{"t", "tensor<bfloat16>(x[1]):[257]"}}, "tensor<float>(x[1]):[768]"));
}

TEST(Map, InSet) {
    EXPECT_TRUE(gives("t in [1,3,-4]", {{"t", "tensor(x[4]):[1,2,-4,nan]"}}, "tensor(x[4]):[1,0,1,0]"));
    EXPECT_TRUE(gives("t in []", {{"t", "tensor(k{}):{a:1}"}}, "tensor(k{}):{a:0}"));
    EXPECT_TRUE(gives("'abc' in ['x','abc']", "1"));
    EXPECT_TRUE(gives("map(t,f(x)(x in [true,2]))", {{"t", "tensor(x[3]):[0,1,2]"}}, "tensor(x[3]):[0,1,1]"));
}

TEST(Join, ScalarWithTensor) {
    EXPECT_TRUE(gives("10-t", {{"t", "tensor(x[2]):[1,2]"}}, "tensor(x[2]):[9,8]"));
    EXPECT_TRUE(gives("t-10", {{"t", "tensor(k{}):{a:1}"}}, "tensor(k{}):{a:-9}"));
    EXPECT_TRUE(gives("6/t", {{"t", "tensor(k{},x[2]):{a:[2,0]}"}}, "tensor(k{},x[2]):{a:[3,inf]}"));
    EXPECT_TRUE(gives("7%t", {{"t", "tensor(x[2]):[4,-4]"}}, "tensor(x[2]):[3,3]"));
    EXPECT_TRUE(gives("7+t", {{"t", "tensor(k{}):{}"}}, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("join(2,3,f(x,y)(x-y))", "-1"));
}

TEST(Join, DenseSharesAndBroadcasts) {
    const Literals inputs = {
        {"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(y[2]):[10,20]"}, {"c", "tensor(x[2],y[2]):[[1,2],[3,4]]"}};
    EXPECT_TRUE(gives("a*a", inputs, "tensor(x[2]):[1,4]"));
    EXPECT_TRUE(gives("a+b", inputs, "tensor(x[2],y[2]):[[11,21],[12,22]]"));
    EXPECT_TRUE(gives("b-a", inputs, "tensor(x[2],y[2]):[[9,19],[8,18]]"));
    EXPECT_TRUE(gives("c-a", inputs, "tensor(x[2],y[2]):[[0,1],[1,2]]"));
    EXPECT_TRUE(gives("b-c", inputs, "tensor(x[2],y[2]):[[9,18],[7,16]]"));
    EXPECT_TRUE(gives("a*t", {{"a", "tensor(y[2]):[1,2]"}, {"t", "tensor(x[1],y[2],z[1]):[[[3],[4]]]"}},
                      "tensor(x[1],y[2],z[1]):[[[3],[8]]]"));
    EXPECT_TRUE(fails("a*d", {{"a", "tensor(x[2]):[1,2]"}, {"d", "tensor(x[3]):[1,2,3]"}}, "x[2]"));
    EXPECT_TRUE(fails("a*d", {{"a", "tensor(x[2]):[1,2]"}, {"d", "tensor(x{}):{}"}}, "x"));
}

TEST(Join, SparseIsAnInnerJoin) {
    const Literals inputs = {{"a", "tensor(k{}):{u:1,v:2}"},
                             {"b", "tensor(k{}):{v:10,w:20}"},
                             {"m", "tensor(m{}):{p:100,q:200}"},
                             {"km", "tensor(k{},m{}):{{k:u,m:p}:5,{k:u,m:r}:6,{k:w,m:p}:7}"},
                             {"none", "tensor(k{}):{}"}};
    EXPECT_TRUE(gives("a+b", inputs, "tensor(k{}):{v:12}"));
    EXPECT_TRUE(gives("a-m", inputs, "tensor(k{},m{}):{u:{p:-99,q:-199},v:{p:-98,q:-198}}"));
    EXPECT_TRUE(gives("km-a", inputs, "tensor(k{},m{}):{u:{p:4,r:5}}"));
    EXPECT_TRUE(gives("m-km", inputs, "tensor(k{},m{}):{u:{p:95},w:{p:93}}"));
    EXPECT_TRUE(gives("a*none", inputs, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("none*m", inputs, "tensor(k{},m{}):{}"));
}

TEST(Join, MixedMatchesBlocksAndBroadcastsCells) {
    const Literals inputs = {{"a", "tensor(k{},x[2]):{u:[1,2],v:[3,4]}"},
                             {"b", "tensor(k{},y[2]):{v:[10,20],w:[30,40]}"},
                             {"k", "tensor(k{}):{v:100}"},
                             {"x", "tensor(x[2]):[5,6]"}};
    EXPECT_TRUE(gives("a+b", inputs, "tensor(k{},x[2],y[2]):{v:[[13,23],[14,24]]}"));
    EXPECT_TRUE(gives("b-a", inputs, "tensor(k{},x[2],y[2]):{v:[[7,17],[6,16]]}"));
    EXPECT_TRUE(gives("a-k", inputs, "tensor(k{},x[2]):{v:[-97,-96]}"));
    EXPECT_TRUE(gives("x*a", inputs, "tensor(k{},x[2]):{u:[5,12],v:[15,24]}"));
    EXPECT_TRUE(gives("k-x", inputs, "tensor(k{},x[2]):{v:[95,94]}"));
}

TEST(Join, LabelsAreTextNotNumbers) {
    EXPECT_TRUE(gives("a+b",
                      {{"a", "tensor(k{}):{'7':1,'07':2,'-1':3}"}, {"b", "tensor(k{}):{'7':10,'-1':20,'+7':30}"}},
                      "tensor(k{}):{'7':11,'-1':23}"));
}

TEST(Join, CellTypes) {
    const Literals inputs = {{"i", "tensor<int8>(x[1]):[100]"},
                             {"h", "tensor<bfloat16>(x[1]):[2]"},
                             {"f", "tensor<float>(x[1]):[16777216]"},
                             {"d", "tensor(x[1]):[1]"}};
    EXPECT_TRUE(gives("i+i", inputs, "tensor<float>(x[1]):[200]"));
    EXPECT_TRUE(gives("i*h", inputs, "tensor<float>(x[1]):[200]"));
    EXPECT_TRUE(gives("f+d", inputs, "tensor(x[1]):[16777217]"));
    EXPECT_TRUE(gives("f+1", inputs, "tensor<float>(x[1]):[16777216]"));
    EXPECT_TRUE(gives("h+1", inputs, "tensor<float>(x[1]):[3]"));
}

TEST(Merge, EitherOrBoth) {
    const Literals inputs = {
        {"a", "tensor(k{}):{u:1,v:2}"}, {"b", "tensor(k{}):{v:10,w:20}"}, {"none", "tensor(k{}):{}"}};
    EXPECT_TRUE(gives("merge(a,b,f(x,y)(x-y))", inputs, "tensor(k{}):{u:1,v:-8,w:20}"));
    EXPECT_TRUE(gives("merge(b,a,f(x,y)(x-y))", inputs, "tensor(k{}):{u:1,v:8,w:20}"));
    EXPECT_TRUE(gives("merge(a,none,f(x,y)(x-y))", inputs, "tensor(k{}):{u:1,v:2}"));
    EXPECT_TRUE(gives("merge(none,a,f(x,y)(x-y))", inputs, "tensor(k{}):{u:1,v:2}"));
    EXPECT_TRUE(gives("merge(none,none,f(x,y)(x-y))", inputs, "tensor(k{}):{}"));
    EXPECT_TRUE(gives("merge(a,b,f(x,y)(x-y))",
                      {{"a", "tensor(k{},x[2]):{u:[1,2],v:[3,4]}"}, {"b", "tensor(k{},x[2]):{v:[10,20]}"}},
                      "tensor(k{},x[2]):{u:[1,2],v:[-7,-16]}"));
    EXPECT_TRUE(gives("merge(a,b,f(x,y)(x-y))", {{"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(x[2]):[10,20]"}},
                      "tensor(x[2]):[-9,-18]"));
    EXPECT_TRUE(gives("merge(1,2,f(x,y)(x-y))", "-1"));
    EXPECT_TRUE(gives("merge(a,b,f(x,y)(x-y))",
                      {{"a", "tensor<int8>(k{}):{u:100}"}, {"b", "tensor<bfloat16>(k{}):{u:-100,w:3}"}},
                      "tensor<float>(k{}):{u:200,w:3}"));
    EXPECT_TRUE(fails("merge(a,b,f(x,y)(x))", {{"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(y[2]):[1,2]"}}, "dimension"));
}

TEST(Concat, Vectors) {
    const Literals inputs = {{"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(x[1]):[3]"}, {"y", "tensor(y[2]):[7,8]"}};
    EXPECT_TRUE(gives("concat(1,2,x)", "tensor(x[2]):[1,2]"));
    EXPECT_TRUE(gives("concat(a,b,x)", inputs, "tensor(x[3]):[1,2,3]"));
    EXPECT_TRUE(gives("concat(b,a,x)", inputs, "tensor(x[3]):[3,1,2]"));
    EXPECT_TRUE(gives("concat(a,9,x)", inputs, "tensor(x[3]):[1,2,9]"));
    EXPECT_TRUE(gives("concat(9,a,x)", inputs, "tensor(x[3]):[9,1,2]"));
    EXPECT_TRUE(gives("concat(a,a,y)", inputs, "tensor(x[2],y[2]):[[1,1],[2,2]]"));
    EXPECT_TRUE(gives("concat(a,9,y)", inputs, "tensor(x[2],y[2]):[[1,9],[2,9]]"));
    EXPECT_TRUE(gives("concat(a,y,x)", inputs, "tensor(x[3],y[2]):[[1,1],[2,2],[7,8]]"));
    EXPECT_TRUE(gives("concat(y,a,x)", inputs, "tensor(x[3],y[2]):[[7,8],[1,1],[2,2]]"));
    EXPECT_TRUE(gives("concat(a,y,z)", inputs, "tensor(x[2],y[2],z[2]):[[[1,7],[1,8]],[[2,7],[2,8]]]"));
}

TEST(Concat, BetweenOtherDimensions) {
    EXPECT_TRUE(gives("concat(a,b,y)",
                      {{"a", "tensor(x[2],y[1],z[2]):[[[1,2]],[[3,4]]]"}, {"b", "tensor(x[2],z[2]):[[5,6],[7,8]]"}},
                      "tensor(x[2],y[2],z[2]):[[[1,2],[5,6]],[[3,4],[7,8]]]"));
    EXPECT_TRUE(fails("concat(a,b,y)", {{"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(x[3]):[1,2,3]"}}, "x"));
}

TEST(Concat, MixedIsAnInnerJoin) {
    const Literals inputs = {{"a", "tensor(k{},x[1]):{u:[1],v:[2]}"},
                             {"b", "tensor(k{},x[2]):{v:[3,4],w:[5,6]}"},
                             {"k", "tensor(k{}):{v:9}"},
                             {"m", "tensor(m{}):{p:7}"}};
    EXPECT_TRUE(gives("concat(a,b,x)", inputs, "tensor(k{},x[3]):{v:[2,3,4]}"));
    EXPECT_TRUE(gives("concat(b,k,x)", inputs, "tensor(k{},x[3]):{v:[3,4,9]}"));
    EXPECT_TRUE(gives("concat(k,k,x)", inputs, "tensor(k{},x[2]):{v:[9,9]}"));
    EXPECT_TRUE(gives("concat(0,a,x)", inputs, "tensor(k{},x[2]):{u:[0,1],v:[0,2]}"));
    EXPECT_TRUE(gives("concat(m,k,x)", inputs, "tensor(k{},m{},x[2]):{v:{p:[7,9]}}"));
    EXPECT_TRUE(fails("concat(k,k,k)", inputs, "k"));
}

TEST(Concat, CellTypesDoNotDecay) {
    EXPECT_TRUE(gives("concat(a,0.7,x)", {{"a", "tensor<int8>(x[1]):[5]"}}, "tensor<int8>(x[2]):[5,0]"));
    EXPECT_TRUE(gives("concat(a,a,x)", {{"a", "tensor<bfloat16>(x[1]):[5]"}}, "tensor<bfloat16>(x[2]):[5,5]"));
    EXPECT_TRUE(gives("concat(a,b,x)", {{"a", "tensor<int8>(x[1]):[5]"}, {"b", "tensor<bfloat16>(x[1]):[2]"}},
                      "tensor<float>(x[2]):[5,2]"));
}

}  // namespace
}  // namespace tenrex
