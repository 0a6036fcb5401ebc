#include <tenrex/formats.h>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

std::string shortest(std::string_view text) {
    const auto value = from_literal(text);
    return value ? to_literal(*value) : value.error().message();
}

std::string verbose(std::string_view text) {
    const auto value = from_literal(text);
    return value ? to_literal(*value, LiteralStyle::verbose) : value.error().message();
}

TEST(ToLiteral, WritesNumbersPlainly) {
    EXPECT_EQ(to_literal(Tensor(1.0)), "1");
    EXPECT_EQ(to_literal(Tensor(-0.5), LiteralStyle::verbose), "-0.5");
    EXPECT_EQ(shortest("nan"), "nan");
    EXPECT_EQ(shortest("-inf"), "-inf");
}

TEST(ToLiteral, NestsBracketsInTheOrderOfTheType) {
    for (const std::string_view text : {
             "tensor(x[3]):[1,2,3]",
             "tensor<float>(x[2]):[0.1,nan]",
             "tensor<bfloat16>(x[2]):[0.1,-inf]",
             "tensor<int8>(x[2]):[1,-128]",
             "tensor(x[2],y[2]):[[1,2],[3,4]]",
             "tensor(x[1],y[2],z[1]):[[[1],[2]]]",
             "tensor(k{}):{}",
             "tensor(k{}):{a:1,\"b c\":2,7:3}",
             "tensor(k{},l{}):{a:{p:1,q:2},b:{p:3}}",
             "tensor(k{},x[2]):{}",
             "tensor(k{},x[2]):{a:[1,2],b:[3,4]}",
             "tensor(k{},l{},x[2]):{a:{p:[1,2]},b:{q:[3,4]}}",
             "tensor(k{},l{},m{}):{a:{p:{u:1,v:2},q:{u:3}},b:{p:{u:4}}}",
             "tensor(k{},x[2],y[2]):{a:[[1,2],[3,4]]}",
         }) {
        EXPECT_EQ(shortest(text), text);
    }
}

TEST(ToLiteral, WritesMappedDimensionsFirst) {
    EXPECT_EQ(shortest("tensor(x[2],y{}):[{a:1},{b:2}]"), "tensor(y{},x[2]):{a:[1,0],b:[0,2]}");
    EXPECT_EQ(shortest("tensor<int8>(a[2],k{},z[2],l{}):{{a:1,k:p,z:0,l:q}:5}"),
              "tensor<int8>(k{},l{},a[2],z[2]):{p:{q:[[0,0],[5,0]]}}");
    EXPECT_EQ(shortest("tensor(x[2],y{}):{}"), "tensor(y{},x[2]):{}");
    EXPECT_EQ(verbose("tensor(x[2],y{}):{}"), "tensor(x[2],y{}):{}");
}

TEST(ToLiteral, KeepsTheOrderOfTheBlocks) {
    EXPECT_EQ(shortest("tensor(k{}):{c:1,a:2,b:3}"), "tensor(k{}):{c:1,a:2,b:3}");
    EXPECT_EQ(verbose("tensor(k{},l{}):{c:{x:1},a:{y:2},c:{z:3}}"),
              "tensor(k{},l{}):{{k:c,l:x}:1,{k:a,l:y}:2,{k:c,l:z}:3}");
    // Where labels nest, equal ones stand together at the place of the first.
    EXPECT_EQ(shortest("tensor(k{},l{}):{c:{x:1},a:{y:2},c:{z:3}}"), "tensor(k{},l{}):{c:{x:1,z:3},a:{y:2}}");
    EXPECT_EQ(shortest("tensor(k{},l{},m{}):{{k:a,l:p,m:1}:1,{k:b,l:p,m:1}:2,{k:a,l:q,m:1}:3,{k:a,l:p,m:2}:4,"
                       "{k:b,l:p,m:0}:5}"),
              "tensor(k{},l{},m{}):{a:{p:{1:1,2:4},q:{1:3}},b:{p:{1:2,0:5}}}");
}

TEST(ToLiteral, WritesOneAddressForEachCell) {
    EXPECT_EQ(verbose("tensor<float>(y[2],x{}):[{a:0.1},{a:2}]"),
              "tensor<float>(x{},y[2]):{{x:a,y:0}:0.1,{x:a,y:1}:2}");
    EXPECT_EQ(verbose("tensor(x[2],y[2]):[[1,2],[3,4]]"),
              "tensor(x[2],y[2]):{{x:0,y:0}:1,{x:0,y:1}:2,{x:1,y:0}:3,{x:1,y:1}:4}");
    EXPECT_EQ(verbose("tensor(k{}):{\"a b\":1}"), "tensor(k{}):{{k:\"a b\"}:1}");
    EXPECT_EQ(verbose("tensor(k{}):{}"), "tensor(k{}):{}");
}

}  // namespace
}  // namespace tenrex
