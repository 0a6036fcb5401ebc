#include <gmock/gmock.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(x[8])").document("m", "tensor<float>(k{},x[8])");
    schema.query("w", "tensor<float>(x[8],y[4])").query("b", "tensor<float>(y[4])").query("n");
    schema.document("c", "tensor<float>(y[4])").query("v", "tensor<float>(x[8],y[4],z[2])");
    return schema;
}

TEST(FuseLayer, BiasAndRelu) {
    EXPECT_EQ(after("fuse_layer", "relu(sum(d*w,x)+b)", schema()), R"(
%0 = input "d" : tensor<float>(x[8]) document
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = input "b" : tensor<float>(y[4]) query
%3 = contract * sum (x) bias relu %0 %1 %2 : tensor<float>(y[4]) document
return %3
)");
    EXPECT_EQ(after("fuse_layer", "b+sum(w*m,x)", schema()), R"(
%0 = input "b" : tensor<float>(y[4]) query
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = input "m" : tensor<float>(k{},x[8]) document
%3 = contract * sum (x) bias %2 %1 %0 : tensor<float>(k{},y[4]) document
return %3
)");
    EXPECT_EQ(after("fuse_layer", "relu(sum(w*d,x))", schema()), R"(
%0 = input "w" : tensor<float>(x[8],y[4]) query
%1 = input "d" : tensor<float>(x[8]) document
%2 = contract * sum (x) relu %0 %1 : tensor<float>(y[4]) document
return %2
)");
}

TEST(FuseLayer, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_layer", text, schema()); };
    EXPECT_THAT(reasons("relu(sum(d*w,x)+b)"), testing::IsEmpty());
    EXPECT_THAT(reasons("sum(d*w,x)+c"), testing::ElementsAre("each document has a bias of its own"));
    EXPECT_THAT(reasons("sum(d*w,x)+n"), testing::ElementsAre("the bias is no row of what the product has as columns"));
    EXPECT_THAT(reasons("(sum(d*w,x)+b)*sum(d*w,x)"),
                testing::ElementsAre("something else reads the product without its bias"));
    EXPECT_THAT(reasons("relu(sum(d*w,x))*sum(d*w,x)"),
                testing::ElementsAre("something else reads the product without its relu"));
    for (const char *text : {"sum(d*w,x)+c", "sum(d*w,x)+n", "relu(d)", "tanh(sum(d*w,x))", "sum(d*d)+n"}) {
        EXPECT_FALSE(changes("fuse_layer", text, schema())) << text;
    }
}

TEST(FuseLayer, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const char *type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::vector<Values> inputs = {
            values("d", Stage::document, ("tensor<" + cell_type + ">(x[8])").c_str(), 1),
            values("m", Stage::document, ("tensor<" + cell_type + ">(k{},x[8])").c_str(), 2),
            values("w", Stage::query, ("tensor<" + cell_type + ">(x[8],y[4])").c_str(), 3),
            values("b", Stage::query, "tensor<float>(y[4])", 4),
            values("c", Stage::document, "tensor<float>(y[4])", 5)};
        for (const char *text : {"relu(sum(d*w,x)+b)", "relu(sum(m*w,x)+b)", "b+sum(w*d,x)", "relu(sum(m*w,x))",
                                 "sum(d*w,x)+c", "relu(sum(m*w,x)+b)*sum(d*w,x)"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer
