#include <gmock/gmock.h>

#include "lib/ir/text.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_region_reduce_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("m", "tensor<float>(x[8],y[64])").document("c", "tensor<float>(x[8])").document("s");
    schema.document("k", "tensor<float>(k{},x[100])").document("t", "tensor<float>(x[8],y[63])");
    return schema;
}

TEST(FuseRegionReduce, AggregatesRowsAsTheyAreComputed) {
    EXPECT_EQ(after("fuse_region_reduce", "reduce(m+c,max,y)", schema()), R"(
%0 = input "m" : tensor<float>(x[8],y[64]) document
%1 = input "c" : tensor<float>(x[8]) document
%2 = region {%2 = apply + %0 %1; %3 = reduce max (y) %2; return %3} %0 %1 : tensor<float>(x[8]) document
return %2
)");
    for (const char *text : {"sum(m+c)", "avg(exp(m)*2,y)", "reduce(tanh(m),prod)", "sum(exp(k),x)"}) {
        EXPECT_TRUE(changes("fuse_region_reduce", text, schema())) << text;
    }
}

TEST(FuseRegionReduce, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_region_reduce", text, schema()); };
    const char *const no_rows =
        "the cells that become one are few, do not follow each other, or are all needed at once";
    EXPECT_THAT(reasons("sum(m+c,x)"), testing::ElementsAre(no_rows));
    EXPECT_THAT(reasons("sum(exp(t)*2,y)"), testing::ElementsAre(no_rows));
    EXPECT_THAT(reasons("reduce(exp(m)*2,median)"), testing::ElementsAre(no_rows));
    EXPECT_THAT(reasons("sum(exp(k)*2)"), testing::ElementsAre(no_rows));  // labels, too
    EXPECT_THAT(reasons("sum(m+c)+sum((m+c)*s)"),
                testing::ElementsAre("something else reads what the region computes"));
    EXPECT_THAT(reasons("sum(m)"), testing::IsEmpty());
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_region_reduce_test
