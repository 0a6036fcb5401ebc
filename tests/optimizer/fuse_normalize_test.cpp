#include <gmock/gmock.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_normalize_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(x[64])").document("m", "tensor<float>(k{},x[32],y[4])");
    schema.document("e", "tensor(x[64])").query("g", "tensor<float>(x[64])").query("b", "tensor<float>(x[64])");
    return schema;
}

TEST(FuseNormalize, Softmax) {
    const std::string softmax = R"(
%0 = input "d" : tensor<float>(x[64]) document
%1 = normalize softmax (x) %0 : tensor<float>(x[64]) document
return %1
)";
    EXPECT_EQ(after("fuse_normalize", "softmax(d,x)", schema()), softmax);
    EXPECT_EQ(after("fuse_normalize", "exp(d)/sum(exp(d))", schema()), softmax);
    EXPECT_EQ(after("fuse_normalize", "softmax(d*0.125,x)", schema()), R"(
%0 = input "d" : tensor<float>(x[64]) document
%1 = normalize softmax (x) scale 0.125 %0 : tensor<float>(x[64]) document
return %1
)");
    EXPECT_EQ(after("fuse_normalize", "exp(m-max(m,x,y))/sum(exp(m-max(m,x,y)),x,y)", schema()), R"(
%0 = input "m" : tensor<float>(k{},x[32],y[4]) document
%1 = normalize stable_softmax (x,y) %0 : tensor<float>(k{},x[32],y[4]) document
return %1
)");
}

TEST(FuseNormalize, LengthAndStandardization) {
    EXPECT_EQ(after("fuse_normalize", "e/sqrt(sum(e*e)+0.5)", schema()), R"(
%0 = input "e" : tensor(x[64]) document
%1 = normalize by_length (x) epsilon 0.5 %0 : tensor(x[64]) document
return %1
)");
    EXPECT_EQ(after("fuse_normalize", "(d-avg(d))/sqrt(avg((d-avg(d))^2)+0.5)*g+b", schema()), R"(
%0 = input "d" : tensor<float>(x[64]) document
%1 = input "g" : tensor<float>(x[64]) query
%2 = input "b" : tensor<float>(x[64]) query
%3 = normalize standardize (x) divisor 64 epsilon 0.5 gain bias %0 %1 %2 : tensor<float>(x[64]) document
return %3
)");
}

TEST(FuseNormalize, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_normalize", text, schema()); };
    EXPECT_THAT(reasons("softmax(d,x)"), testing::IsEmpty());
    EXPECT_THAT(reasons("softmax(d,x)*sum(exp(d))"),
                testing::ElementsAre("something else reads the powers or their sum"));
    EXPECT_THAT(reasons("softmax(m,x)"), testing::ElementsAre("its rows are not along the last dimensions"));
    EXPECT_THAT(reasons("softmax(m,y)"),
                testing::ElementsAre("its rows are short: their powers are computed faster all in one go"));
    for (const char *text :
         {"softmax(d,x)*sum(exp(d))", "softmax(m,x)", "softmax(m,y)", "d/sum(d)", "d/sqrt(sum(g*d))"}) {
        EXPECT_FALSE(changes("fuse_normalize", text, schema())) << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_normalize_test
