#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::unpack_bits_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("v", "tensor<int8>(x[2])").document("m", "tensor<int8>(k{},x[2])");
    schema.document("f", "tensor<float>(x[2])").document("w", "tensor<int8>(x[8],y[1])");
    schema.document("b", "tensor<int8>(x[2],y[3])").document("u", "tensor<int8>(y[2])");
    return schema;
}

TEST(UnpackBits, OfAGenerator) {
    EXPECT_EQ(after("unpack_bits", "tensor<float>(x[16])(bit(v{x:(x/8)},7-x%8))", schema()), R"(
%0 = input "v" : tensor<int8>(x[2]) document
%1 = unpack_bits big (x) %0 : tensor<float>(x[16]) document
%2 = rename (x) (_f0) %1 : tensor<float>(_f0[16]) document
%3 = rename (_f0) (x) %2 : tensor<float>(x[16]) document
return %3
)");
    EXPECT_EQ(after("unpack_bits", "tensor(x[16])(bit(v{x:(x/8)},x%8))", schema()), R"(
%0 = input "v" : tensor<int8>(x[2]) document
%1 = unpack_bits little (x) %0 : tensor(x[16]) document
%2 = rename (x) (_f0) %1 : tensor(_f0[16]) document
%3 = rename (_f0) (x) %2 : tensor(x[16]) document
return %3
)");
}

// The second run of hoist_renames takes away the names of the generator.
TEST(UnpackBits, OfEachBlock) {
    EXPECT_EQ(after("simplify", "unpack_bits(m)", schema()), R"(
%0 = input "m" : tensor<int8>(k{},x[2]) document
%1 = unpack_bits big (x) %0 : tensor<float>(k{},x[16]) document
return %1
)");
    EXPECT_EQ(after("simplify", "unpack_bits(b,int8)", schema()), R"(
%0 = input "b" : tensor<int8>(x[2],y[3]) document
%1 = unpack_bits big (y) %0 : tensor<int8>(x[2],y[24]) document
return %1
)");
}

TEST(UnpackBits, OnlyOfWholeInt8Values) {
    for (const char *text : {"tensor(x[16])(bit(f{x:(x/8)},7-x%8))",            // not int8
                             "tensor(x[15])(bit(v{x:(x/8)},7-x%8))",            // not all of them
                             "tensor(x[16])(bit(v{x:(x/8)},6-x%8))",            // other bits
                             "tensor(x[16])(bit(v{x:(x/8)},7-x%4))",            //
                             "tensor(x[16])(bit(v{x:(x/16)},7-x%8))",           // other bytes
                             "tensor(x[16])(bit(v{x:(1-x/8)},7-x%8))",          //
                             "tensor(x[8])(bit(w{x:(x),y:(x/8)},7-x%8))",       // a diagonal
                             "tensor(x[2],y[2])(bit(b{x:(x),y:(y/8)},7-y%8))",  // too few
                             "tensor(x[16],z[8])(bit(v{x:(x/8)},7-z%8))",       // the bit of another index
                             "tensor(x[16])(bit(v{x:(x/8)}+u{y:(x/8)},7-x%8))"}) {
        EXPECT_FALSE(changes("unpack_bits", text, schema())) << text;
    }
}

TEST(UnpackBits, KeepsValues) {
    const std::vector<Values> inputs = {
        {"v", Stage::document, literals({"tensor<int8>(x[2]):[-1,127]", "tensor<int8>(x[2]):[-128,5]"})},
        {"m", Stage::document, literals({"tensor<int8>(k{},x[2]):{a:[1,2],b:[-3,4]}", "tensor<int8>(k{},x[2]):{}"})},
        random_values("w", Stage::document, "tensor<int8>(x[8],y[1])", 2, random::Numbers::exact, 5),
        random_values("b", Stage::document, "tensor<int8>(x[2],y[3])", 2, random::Numbers::exact, 6),
    };
    for (const char *text :
         {"unpack_bits(v)", "unpack_bits(m,double)", "unpack_bits(b,bfloat16)", "tensor(x[16])(bit(v{x:(x/8)},x%8))",
          "tensor(x[8])(bit(w{x:(x),y:(x/8)},7-x%8))", "tensor(i[24],j[2])(bit(b{x:(j),y:(i/8)},7-i%8))",
          "tensor(x[16],z[2])(bit(v{x:(x/8)},7-x%8)+z)",
          "map_subspaces(m,f(t)(tensor<int8>(y[16])(bit(t{x:(y/8)},y%8))))"}) {
        EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::unpack_bits_test
