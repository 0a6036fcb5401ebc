#include <gmock/gmock.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_multiply_add_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(x[8])").document("b", "tensor<float>(x[8])");
    schema.document("c", "tensor<float>(x[8])").document("s").document("t", "tensor<float>(y[3])");
    schema.query("q", "tensor<float>(x[8])").document("i", "tensor<int8>(x[8])").document("d", "tensor(x[8])");
    return schema;
}

TEST(FuseMultiplyAdd, EitherOrder) {
    EXPECT_EQ(after("fuse_multiply_add", "a*b+c", schema()), R"(
%0 = input "a" : tensor<float>(x[8]) document
%1 = input "b" : tensor<float>(x[8]) document
%2 = input "c" : tensor<float>(x[8]) document
%3 = multiply_add %0 %1 %2 : tensor<float>(x[8]) document
return %3
)");
    EXPECT_EQ(after("fuse_multiply_add", "d+s*d", schema()), R"(
%0 = input "d" : tensor(x[8]) document
%1 = input "s" : double document
%2 = multiply_add %1 %0 %0 : tensor(x[8]) document
return %2
)");
    EXPECT_FALSE(changes("fuse_multiply_add", "a*b-c", schema()));
    // The query's product is computed once.
    EXPECT_FALSE(changes("fuse_multiply_add", "q*2+c", schema()));
}

TEST(FuseMultiplyAdd, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_multiply_add", text, schema()); };
    EXPECT_THAT(reasons("a*b+c"), testing::IsEmpty());
    EXPECT_THAT(reasons("(a*b+c)/(a*b)"), testing::ElementsAre("something else reads the product"));
    EXPECT_THAT(reasons("a*b+t"), testing::ElementsAre("the product has other dimensions or cells than the sum"));
    EXPECT_THAT(reasons("i*i+i"), testing::IsEmpty());  // cells of int8 are multiplied as floats
    EXPECT_THAT(reasons("cell_cast(cell_cast(a*b,int8)+i,float)"), testing::IsEmpty());
    EXPECT_THAT(reasons("a*b+0.1"), testing::ElementsAre("one is computed in float, the other in double"));
}

TEST(FuseMultiplyAdd, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type.c_str(), 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::vector<Values> inputs = {values("a", Stage::document, "tensor<" + cell_type + ">(x[8])", 1),
                                            values("b", Stage::query, "tensor<" + cell_type + ">(x[8])", 2),
                                            values("c", Stage::document, "tensor<" + cell_type + ">(x[8])", 3),
                                            values("m", Stage::document, "tensor<" + cell_type + ">(k{},x[8])", 4),
                                            values("n", Stage::document, "tensor<" + cell_type + ">(k{})", 5),
                                            values("t", Stage::document, "tensor<" + cell_type + ">(y[3])", 6),
                                            values("s", Stage::document, "double", 7)};
        for (const char *text :
             {"a*b+c", "c+a*b", "a*s+c", "a*b+s", "m*n+m", "m*n+s", "m*s+n", "m*a+n", "a*t+s*a*t", "a*t+c", "n*s+m"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_multiply_add_test
