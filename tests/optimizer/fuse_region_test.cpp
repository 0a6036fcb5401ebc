#include <gmock/gmock.h>

#include "lib/ir/text.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_region_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(x[8])").document("b", "tensor<float>(x[8])").document("s").document("n");
    schema.query("q", "tensor<float>(x[8])")
        .query("r", "tensor<float>(y[3],x[8])")
        .document("t", "tensor<float>(y[3])");
    schema.document("u", "tensor<float>(y[3],x[8])").document("k", "tensor<float>(k{})");
    schema.document("l", "tensor<float>(k{})").document("w", "tensor<float>(x[2000],y[2])");
    schema.query("v", "tensor<float>(y[2],x[2000])");
    return schema;
}

TEST(FuseRegion, TakesOperationsTogether) {
    EXPECT_EQ(after("fuse_region", "relu(a-b)*2", schema()), R"(
%0 = input "a" : tensor<float>(x[8]) document
%1 = input "b" : tensor<float>(x[8]) document
%2 = region {%2 = apply - %0 %1; %3 = apply relu %2; %4 = constant 2; %5 = apply * %3 %4; return %5} %0 %1 : tensor<float>(x[8]) document
return %2
)");
    // Numbers of the document are read as often as there are cells.
    EXPECT_EQ(after("fuse_region", "exp(k*s)", schema()), R"(
%0 = input "k" : tensor<float>(k{}) document
%1 = input "s" : double document
%2 = region {%2 = apply * %0 %1; %3 = apply exp %2; return %3} %0 %1 : tensor<float>(k{}) document
return %2
)");
}

TEST(FuseRegion, EachResultIsANode) {
    EXPECT_EQ(after("fuse_region", "sum(exp(a-b))+sum(relu(a-b))", schema()), R"(
%0 = input "a" : tensor<float>(x[8]) document
%1 = input "b" : tensor<float>(x[8]) document
%2 = region {%2 = apply - %0 %1; %3 = apply exp %2; %4 = apply relu %2; return %3; return %4} %0 %1 : tensor<float>(x[8]) document
%3 = region_result 1 %2 : tensor<float>(x[8]) document
%4 = reduce sum (x) %2 : double document
%5 = reduce sum (x) %3 : double document
%6 = region {%2 = apply + %0 %1; return %2} %4 %5 : double document
return %6
)");
}

TEST(FuseRegion, AReductionDividesThem) {
    EXPECT_EQ(after("fuse_region", "exp(a-b)/(1+sum(exp(a-b)))", schema()), R"(
%0 = input "a" : tensor<float>(x[8]) document
%1 = input "b" : tensor<float>(x[8]) document
%2 = region {%2 = apply - %0 %1; %3 = apply exp %2; return %3} %0 %1 : tensor<float>(x[8]) document
%3 = reduce sum (x) %2 : double document
%4 = region {%1 = constant 1; %2 = apply + %1 %0; return %2} %3 : double document
%5 = region {%2 = apply / %0 %1; return %2} %2 %4 : tensor<float>(x[8]) document
return %5
)");
}

TEST(FuseRegion, ASingleOperationIsOneWhereThatHelps) {
    EXPECT_TRUE(changes("fuse_region", "s*n", schema()));   // a document on its own
    EXPECT_TRUE(changes("fuse_region", "a*s", schema()));   // s may have no nearest float
    EXPECT_FALSE(changes("fuse_region", "a*b", schema()));  // a kernel does as well
    for (const char *text : {"a*t", "u*a", "u*t", "u*q"}) {
        EXPECT_TRUE(changes("fuse_region", text, schema())) << text;  // something is broadcast, or transposed
    }
    EXPECT_FALSE(changes("fuse_region", "exp(q)+1", schema()) && changes("fuse_region", "exp(a)", schema()));
}

TEST(FuseRegion, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_region", text, schema()); };
    EXPECT_THAT(reasons("exp(a)*b+q"), testing::IsEmpty());
    EXPECT_THAT(reasons("exp(a)*exp(t)"), testing::IsEmpty());
    EXPECT_THAT(reasons("exp(k)*exp(a)"), testing::ElementsAre("beside labels an operand of the documents has none"));
    EXPECT_THAT(reasons("exp(k)*exp(l)"), testing::ElementsAre("the operands have the labels of several values"));
    EXPECT_THAT(reasons("u*a*2"), testing::IsEmpty());  // nothing is before it that it could go with
}

TEST(FuseRegion, BodiesComeBackFromText) {
    const Schema declared = schema();
    for (const char *text : {"relu(a-b)*2", "sum(exp(a-b))+sum(relu(a-b))", "if(k>1,k*s,k)", "a in [1,2,3]||b>0",
                             "relu(t*s+1)", "cell_cast(a,double)*0.1+s"}) {
        const std::string before = ir::to_string(optimized(text, declared, "fuse_region", true), ir::TextStyle::exact);
        EXPECT_THAT(before, testing::HasSubstr("region {"));
        const auto graph = ir::read_graph(before, declared);
        ASSERT_TRUE(graph) << graph.error().message() << "\n" << before;
        EXPECT_EQ(ir::to_string(*graph, ir::TextStyle::exact), before);
    }
}

TEST(FuseRegion, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type.c_str(), 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::vector<Values> inputs = {values("a", Stage::document, "tensor<" + cell_type + ">(x[8])", 1),
                                            values("b", Stage::query, "tensor<" + cell_type + ">(x[8])", 2),
                                            values("u", Stage::document, "tensor<" + cell_type + ">(y[3],x[8])", 3),
                                            values("c", Stage::document, "tensor<" + cell_type + ">(y[3])", 8),
                                            values("m", Stage::document, "tensor<" + cell_type + ">(k{},x[8])", 4),
                                            values("n", Stage::document, "tensor<" + cell_type + ">(k{})", 5),
                                            values("s", Stage::document, "double", 6),
                                            values("p", Stage::query, "double", 7)};
        for (const char *text : {"relu(a-b)*2", "sum(exp(a*0.1-b))+sum(relu(a-b))", "exp(0.1*a)/(1+sum(exp(0.1*a)))",
                                 "relu(u*b+s)*s", "relu(u*c+a)*s", "c*exp(a*0.1)", "sigmoid(m*b-p)*s", "(n*n+1)*(n-s)",
                                 "if(m>s,m*2,m/3)", "if(n in [1,2,3],n*s,n*p)", "relu(n*s)*m+m"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

// Rows that are no whole vectors.
TEST(FuseRegion, KeepsValuesOfOddRows) {
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const auto values = [&](const char *name, Stage stage, const std::string &dimensions, std::uint64_t seed) {
            return random_values(name, stage, ("tensor<" + cell_type + ">(" + dimensions + ")").c_str(), 5,
                                 random::Numbers::smooth, seed);
        };
        const std::vector<Values> inputs = {
            values("a", Stage::document, "x[35]", 1),      values("b", Stage::query, "x[35]", 2),
            values("c", Stage::document, "y[5]", 3),       values("d", Stage::query, "y[5]", 4),
            values("u", Stage::document, "x[35],y[5]", 5), values("v", Stage::document, "y[5],z[35]", 6),
            values("e", Stage::document, "z[35]", 7),      values("m", Stage::document, "k{},y[5],z[35]", 8),
            values("q", Stage::query, "z[35]", 9)};
        for (const char *text : {"u+c", "u*a", "c*a", "d*a+b", "v+c", "v*e-c", "relu(v*c+q)*2", "v*d", "c*e+v", "m*d",
                                 "m*q+d", "sum(v*c+e)", "if(v<c,e*v,v*2.5)", "exp(v*0.1)-c"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_region_test
