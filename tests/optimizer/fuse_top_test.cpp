#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_top_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(k{})").document("e", "tensor<float>(k{})").document("n");
    schema.document("m", "tensor<float>(k{},x[2])");
    return schema;
}

TEST(FuseTop, BlocksWithTheLowestRanks) {
    EXPECT_EQ(after("fuse_top", "top(3,d)", schema()), R"(
%0 = input "d" : tensor<float>(k{}) document
%1 = constant 3 : double constant
%2 = top max %0 %0 %1 : tensor<float>(k{}) document
return %2
)");
    EXPECT_EQ(after("fuse_top", "top(n,d)", schema()), R"(
%0 = input "d" : tensor<float>(k{}) document
%1 = input "n" : double document
%2 = top max %0 %0 %1 : tensor<float>(k{}) document
return %2
)");
    EXPECT_TRUE(changes("fuse_top", "filter_subspaces(cell_order(d,min)<2,f(t)(t))+0*top(2,d)", schema()));
}

TEST(FuseTop, LeavesTheRest) {
    for (const char *text : {"filter_subspaces(d,f(t)(t<3))", "d*filter_subspaces(cell_order(e,max)<3,f(t)(t))",
                             "top(3,d)+sum(cell_order(d,max)<3)", "cell_order(m,max)"}) {
        EXPECT_FALSE(changes("fuse_top", text, schema())) << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_top_test
