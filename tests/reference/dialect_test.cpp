// Where the two dialects of the language differ, and details in which implementations have been seen to differ.
#include "tests/reference/evaluation.h"

#include <gtest/gtest.h>

namespace tenrex {
namespace {

struct InBoth {
    const char *text;
    const char *core;
    const char *java;
};

TEST(Dialects, Precedence) {
    for (const InBoth &c : {InBoth{"5*7%4", "3", "15"},
                            {"2^3^2", "512", "512"},
                            {"1<2==2", "0", "0"},
                            {"0<1==1", "1", "1"},
                            {"3<2==0", "1", "0"},
                            {"2==1<3", "1", "1"},
                            {"7-2+1", "6", "6"},
                            {"8/4*2", "4", "4"},
                            {"8*3/2", "12", "12"},
                            {"6%4*2", "4", "4"},
                            {"2*5/4%3", "2.5", "10"},
                            {"-2^2", "4", "4"},
                            {"!1==0", "1", "1"},
                            {"1||0&&0", "1", "1"},
                            {"2>1>0", "1", "1"},
                            {"3>=2>1", "0", "1"}}) {
        EXPECT_TRUE(gives(c.text, c.core));
        EXPECT_TRUE(gives(c.text, c.java, java));
    }
}

TEST(Dialects, ScopeOfIn) {
    const Literals inputs = {{"a", "1"}, {"c", "5"}};
    EXPECT_TRUE(gives("c && a in [5]", inputs, "0"));
    EXPECT_TRUE(gives("c && a in [1]", inputs, "1"));
    EXPECT_TRUE(gives("a+c in [6]", inputs, "1"));
    EXPECT_TRUE(gives("(c && a) in [1]", inputs, "1"));
    EXPECT_TRUE(gives("c && a in [5]", inputs, "0", java));
    EXPECT_TRUE(gives("0 && a in [0]", inputs, "0"));
    EXPECT_TRUE(gives("0 && a in [0]", inputs, "1", java));
    EXPECT_TRUE(gives("a+c in [6]", inputs, "1", java));
}

TEST(Dialects, EntriesOfIn) {
    EXPECT_TRUE(gives("a in []", {{"a", "0"}}, "0"));
    EXPECT_TRUE(gives("1in[1]", "1"));
    EXPECT_TRUE(gives("1 in [true,--1]", "1"));
    EXPECT_TRUE(gives("-1 in [-1]", "1"));
    EXPECT_TRUE(gives("0/0 in [0,1]", "0"));
    EXPECT_TRUE(fails("1 in [!0]", {}, ""));
    EXPECT_TRUE(fails("1 in [a]", {{"a", "1"}}, ""));
    EXPECT_TRUE(gives("1 in [a,a*2]", {{"a", "1"}}, "1", java));
    EXPECT_TRUE(gives("3 in [a,a*2]", {{"a", "1"}}, "0", java));
}

TEST(Dialects, MoreFunctionsEverywhere) {
    for (const ExpressionOptions &options : {ExpressionOptions{}, java}) {
        EXPECT_TRUE(gives("abs(-2)+round(2.5)+sign(-3)+square(3)", "13", options));
        EXPECT_TRUE(gives("1 # one\n + 2", "3", options));
        EXPECT_TRUE(gives("0x1F+1.5f+2L", "34.5", options));
        EXPECT_TRUE(gives("t{a}", {{"t", "tensor(k{}):{a:7}"}}, "7", options));
        EXPECT_TRUE(gives("t[1]", {{"t", "tensor(x[2]):[7,8]"}}, "8", options));
        EXPECT_TRUE(gives("10/t", {{"t", "tensor(x[2]):[2,5]"}}, "tensor(x[2]):[5,2]", options));
        EXPECT_TRUE(gives("10%t", {{"t", "tensor(x[2]):[3,4]"}}, "tensor(x[2]):[1,2]", options));
        EXPECT_TRUE(gives("sum(t)", {{"t", "tensor(x[2]):[3,4]"}}, "7", options));
        EXPECT_TRUE(gives("max(t,x)", {{"t", "tensor(x[2]):[3,4]"}}, "4", options));
        EXPECT_TRUE(gives("max(t,3.5)", {{"t", "tensor(x[2]):[3,4]"}}, "tensor(x[2]):[3.5,4]", options));
    }
}

TEST(Dialects, ALeadingZeroMeansOctalOnlyInJava) {
    EXPECT_TRUE(gives("017", "17"));
    EXPECT_TRUE(gives("017", "15", java));
}

TEST(Dialects, MappedJoinsIndexedOnlyInJava) {
    const Literals inputs = {{"m", "tensor(x{}):{'0':1,'2':3,a:5}"}, {"v", "tensor(x[3]):[10,20,30]"}};
    EXPECT_TRUE(fails("m*v", inputs, "x"));
    EXPECT_TRUE(gives("m*v", inputs, "tensor(x{}):{'0':10,'2':90}", java));
    EXPECT_TRUE(gives("v-m", inputs, "tensor(x{}):{'0':9,'2':27}", java));
    EXPECT_TRUE(gives("m+w", {{"m", "tensor(x{},y[2]):{'1':[1,2]}"}, {"w", "tensor(x[2],y[2]):[[1,2],[10,20]]"}},
                      "tensor(x{},y[2]):{'1':[11,22]}", java));
    EXPECT_TRUE(fails("v*w", {{"v", "tensor(x[3]):[1,2,3]"}, {"w", "tensor(x[2]):[1,2]"}}, "x[3]", java));
}

TEST(Dialects, BranchesOfIf) {
    const Literals inputs = {
        {"c", "1"}, {"f", "tensor<float>(x[2]):[1,2]"}, {"d", "tensor(x[2]):[3,4]"}, {"m", "tensor(x{}):{a:5}"}};
    EXPECT_TRUE(fails("if(c,f,d)", inputs, "cell_cast"));
    EXPECT_TRUE(gives("if(c,f,d)", inputs, "tensor(x[2]):[1,2]", java));
    EXPECT_TRUE(gives("if(!c,f,d)", inputs, "tensor(x[2]):[3,4]", java));
    EXPECT_TRUE(fails("if(c,d,m)", inputs, "x"));
    EXPECT_TRUE(gives("if(c,d,m)", inputs, "tensor(x{}):{'0':3,'1':4}", java));
    EXPECT_TRUE(gives("if(!c,d,m)", inputs, "tensor(x{}):{a:5}", java));
    EXPECT_TRUE(fails("if(c,1,d)", inputs, "", java));
}

TEST(Dialects, ConcatOfUnequalSizes) {
    const Literals inputs = {{"a", "tensor(x[1],y[2]):[[1,2]]"}, {"b", "tensor(x[1],y[3]):[[5,6,7]]"}};
    EXPECT_TRUE(fails("concat(a,b,x)", inputs, "y"));
    EXPECT_TRUE(gives("concat(a,b,x)", inputs, "tensor(x[2],y[2]):[[1,2],[5,6]]", java));
    EXPECT_TRUE(gives("concat(b,a,x)", inputs, "tensor(x[2],y[2]):[[5,6],[1,2]]", java));
    EXPECT_TRUE(gives("concat(m,1,x)", {{"m", "tensor(k{}):{a:5}"}}, "tensor(k{},x[2]):{a:[5,1]}", java));
}

TEST(Dialects, MergeOfVectorsOfUnequalLength) {
    const Literals inputs = {{"a", "tensor(x[2]):[1,2]"}, {"b", "tensor(x[4]):[10,20,30,40]"}};
    EXPECT_TRUE(fails("merge(a,b,f(x,y)(x-y))", inputs, "x"));
    EXPECT_TRUE(gives("merge(a,b,f(x,y)(x-y))", inputs, "tensor(x[4]):[-9,-18,30,40]", java));
    EXPECT_TRUE(gives("merge(b,a,f(x,y)(x-y))", inputs, "tensor(x[4]):[9,18,30,40]", java));
}

TEST(Dialects, MissingDimensionsAreErrorsInBoth) {
    for (const ExpressionOptions &options : {ExpressionOptions{}, java}) {
        EXPECT_TRUE(fails("reduce(t,sum,y)", {{"t", "tensor(x[2]):[1,2]"}}, "'y'", options));
        EXPECT_TRUE(fails("rename(t,y,z)", {{"t", "tensor(x[2]):[1,2]"}}, "'y'", options));
        EXPECT_TRUE(fails("map(t,f(v)(sum(tensor(x[2])(v))))", {{"t", "tensor(x[2]):[1,2]"}}, "", options));
        EXPECT_TRUE(fails("unknown+1", {}, "unknown", options));
    }
}

TEST(Details, NamesThatLookLikeKeywords) {
    EXPECT_TRUE(gives("cos(cos)", {{"cos", "0"}}, "1"));
    EXPECT_TRUE(gives("in+if+f+map+sum+max",
                      {{"in", "1"}, {"if", "2"}, {"f", "3"}, {"map", "4"}, {"sum", "5"}, {"max", "6"}}, "21"));
    EXPECT_TRUE(gives("map(t,f(cos)(cos+cos(cos)))", {{"t", "tensor(x[1]):[0]"}}, "tensor(x[1]):[1]"));
    EXPECT_TRUE(gives("reduce(t,max,max)", {{"t", "tensor(max[2]):[1,2]"}}, "2"));
    EXPECT_TRUE(gives("true+false", "1"));
    EXPECT_TRUE(gives("query(q).out+attribute(a)", {{"query(q).out", "1"}, {"attribute(a)", "2"}}, "3"));
    EXPECT_TRUE(gives("attribute( a )", {{"attribute(a)", "2"}}, "2"));
}

TEST(Details, StringsAreHashes) {
    EXPECT_TRUE(gives("'a'=='a'", "1"));
    EXPECT_TRUE(gives("\"a\"=='a'", "1"));
    EXPECT_TRUE(gives("'a'=='b'", "0"));
    EXPECT_TRUE(gives("'\\x61'=='a'", "1"));
    EXPECT_TRUE(gives("isNan('')", "0"));
    EXPECT_TRUE(gives("a in ['x','y']", {{"a", "0"}}, "0"));
}

TEST(Details, Numbers) {
    EXPECT_TRUE(gives("1e3+1E-3+1.5e+2", "1150.001"));
    EXPECT_TRUE(gives("1e400", "inf"));
    EXPECT_TRUE(gives("1e-400", "0"));
    EXPECT_TRUE(gives("--1", "1"));
    EXPECT_TRUE(gives("!!5", "1"));
    for (const char *bad : {"1e", "1e+", "1a", "1_000", "true(1)", ".5", "1 2", "", "()"}) {
        EXPECT_TRUE(fails(bad, {}, "")) << bad;
    }
}

TEST(Details, LambdasSeeOnlyTheirParameters) {
    EXPECT_TRUE(fails("map(t,f(x)(x+a))", {{"t", "tensor(x[1]):[0]"}, {"a", "1"}}, "'a'"));
    EXPECT_TRUE(fails("tensor(x[2])(sum(map(t,f(y)(x+y))))", {{"t", "tensor(z[1]):[0]"}}, "'x'"));
    EXPECT_TRUE(fails("map(t,f(x,y)(x))", {{"t", "tensor(x[1]):[0]"}}, "parameter"));
    EXPECT_TRUE(fails("join(t,t,f(x,x)(x))", {{"t", "tensor(x[1]):[0]"}}, "'x'"));
    EXPECT_TRUE(fails("tensor([2])(1)", {}, ""));
}

TEST(Details, TruthOfNan) {
    const Literals inputs = {{"n", "nan"}, {"a", "1"}};
    EXPECT_TRUE(gives("n==n", inputs, "0"));
    EXPECT_TRUE(gives("n!=n", inputs, "1"));
    EXPECT_TRUE(gives("!n", inputs, "0"));
    EXPECT_TRUE(gives("n&&a", inputs, "1"));
    EXPECT_TRUE(gives("n||0", inputs, "1"));
    EXPECT_TRUE(gives("if(n,1,2)", inputs, "1"));
    EXPECT_TRUE(gives("n<1", inputs, "0"));
    EXPECT_TRUE(gives("min(n,1)", inputs, "nan"));
    EXPECT_TRUE(gives("min(1,n)", inputs, "1"));
    EXPECT_TRUE(gives("max(n,1)", inputs, "nan"));
    EXPECT_TRUE(gives("max(1,n)", inputs, "1"));
}

TEST(Details, SurfaceFormsAreTheirExpansions) {
    const Literals inputs = {{"t", "tensor(x[4]):[1,2,2,1]"},
                             {"a", "tensor(x[2],y[2]):[[1,2],[3,4]]"},
                             {"b", "tensor(y[2],z[2]):[[5,6],[7,8]]"},
                             {"s", "tensor(k{}):{u:3,v:1,w:2}"},
                             {"i", "tensor<int8>(x[2]):[-127,3]"}};
    EXPECT_TRUE(gives("matmul(a,b,y)", inputs, "tensor(x[2],z[2]):[[19,22],[43,50]]"));
    EXPECT_TRUE(gives("xw_plus_b(t,t,t,x)", inputs, "tensor(x[4]):[11,12,12,11]"));
    EXPECT_TRUE(gives("l1_normalize(t,x)*6", inputs, "tensor(x[4]):[1,2,2,1]"));
    EXPECT_TRUE(gives("argmax(t)", inputs, "tensor(x[4]):[0,1,1,0]"));
    EXPECT_TRUE(gives("argmin(t,x)", inputs, "tensor(x[4]):[1,0,0,1]"));
    EXPECT_TRUE(gives("expand(s,x)", inputs, "tensor(k{},x[1]):{u:[3],v:[1],w:[2]}"));
    EXPECT_TRUE(gives("range<float>(x[3],y[2])", "tensor<float>(x[3],y[2]):[[0,1],[1,2],[2,3]]"));
    EXPECT_TRUE(gives("diag(x[2],y[2])", "tensor(x[2],y[2]):[[1,0],[0,1]]"));
    EXPECT_TRUE(gives("top(2,s)", inputs, "tensor(k{}):{u:3,w:2}"));
    EXPECT_TRUE(gives("unpack_bits(i)", inputs, "tensor<float>(x[16]):[1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,1]"));
    EXPECT_TRUE(gives("unpack_bits(i,int8,little)", inputs, "tensor<int8>(x[16]):[1,0,0,0,0,0,0,1,1,1,0,0,0,0,0,0]"));
    EXPECT_TRUE(gives("euclidean_distance(t,t*0,x)", inputs, "3.1622776601683795"));
    EXPECT_TRUE(gives("sum(softmax(t,x))", inputs, "1"));
}

TEST(Details, RandomIsFixedByTheSeed) {
    ExpressionOptions one, other;
    other.seed = 1;
    const auto a = evaluate("random(x[5])", {}, one);
    const auto b = evaluate("random(x[5])", {}, other);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(gives("random(x[5])", to_literal(*a), one));
    EXPECT_FALSE(*a == *b);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_GE(a->cell(i), 0.0);
        EXPECT_LT(a->cell(i), 1.0);
    }
    EXPECT_TRUE(gives("tensor(y[2])(random(x[5]){x:(y)})",
                      "tensor(y[2]):[" + to_literal(Tensor(a->cell(0))) + "," + to_literal(Tensor(a->cell(1))) + "]",
                      one));
}

}  // namespace
}  // namespace tenrex
