#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::peek_ranges_test {
namespace {

using random::Numbers;

Schema schema() {
    Schema schema;
    schema.document("t", "tensor<float>(x[8])").document("m", "tensor<float>(x[3],y[4])");
    schema.document("i", "tensor<int8>(x[8])").document("b", "tensor<float>(k{},x[8])").query("n", "double");
    return schema;
}

TEST(PeekRanges, OfAGenerator) {
    EXPECT_EQ(after("peek_ranges", "tensor<float>(z[5])(t{x:(z+2)})", schema()), R"(
%0 = input "t" : tensor<float>(x[8]) document
%1 = slice (x) from 2 %0 : tensor<float>(x[5]) document
%2 = rename (x) (_f0) %1 : tensor<float>(_f0[5]) document
%3 = cast %2 : tensor(_f0[5]) document
%4 = cast %3 : tensor<float>(_f0[5]) document
%5 = rename (_f0) (z) %4 : tensor<float>(z[5]) document
return %5
)");
    // All indexes, in another order of dimensions: nothing but names.
    EXPECT_EQ(after("peek_ranges", "tensor(a[4],b[3])(m{x:(b),y:(a)})", schema()), R"(
%0 = input "m" : tensor<float>(x[3],y[4]) document
%1 = rename (x,y) (_f1,_f0) %0 : tensor<float>(_f0[4],_f1[3]) document
%2 = cast %1 : tensor(_f0[4],_f1[3]) document
%3 = rename (_f0,_f1) (a,b) %2 : tensor(a[4],b[3]) document
return %3
)");
    // In the name of the dimension itself, and with other ways to say a number.
    for (const char *text :
         {"tensor<float>(x[8])(t{x:(x)})", "tensor(x[4])(t{x:(x*2-x+4)})", "tensor(x[2])(t{x:(x+0.9)})",
          "tensor(x[5])(t{x:(if(x<9,x,0))})", "tensor(x[2])(t{x:(x+(x in [1,2]) - (x>0))})"}) {
        EXPECT_TRUE(changes("peek_ranges", text, schema())) << text;
    }
}

TEST(PeekRanges, OfSomeDimensions) {
    EXPECT_EQ(after("peek_ranges", "tensor(a[2])(m{x:1,y:(a+1)})", schema()), R"(
%0 = input "m" : tensor<float>(x[3],y[4]) document
%1 = slice (y) from 1 %0 : tensor<float>(x[3],y[2]) document
%2 = rename (y) (_f0) %1 : tensor<float>(_f0[2],x[3]) document
%3 = peek {x:1} %2 : tensor(_f0[2]) document
%4 = rename (_f0) (a) %3 : tensor(a[2]) document
return %4
)");
    EXPECT_EQ(after("peek_ranges", "tensor(a[2])(m{x:(n),y:(a)})", schema()), R"(
%0 = input "m" : tensor<float>(x[3],y[4]) document
%1 = input "n" : double query
%2 = slice (y) from 0 %0 : tensor<float>(x[3],y[2]) document
%3 = rename (y) (_f0) %2 : tensor<float>(_f0[2],x[3]) document
%4 = peek {x:(operand 1)} %3 %1 : tensor(_f0[2]) document
%5 = rename (_f0) (a) %4 : tensor(a[2]) document
return %5
)");
}

TEST(PeekRanges, OfEachBlock) {
    EXPECT_EQ(after("peek_ranges", "map_subspaces(b,f(v)(tensor<float>(z[3])(v{x:(z+2)})))", schema()), R"(
%0 = input "b" : tensor<float>(k{},x[8]) document
%1 = slice (x) from 2 %0 : tensor<float>(k{},x[3]) document
%2 = rename (x) (_f1) %1 : tensor<float>(_f1[3],k{}) document
%3 = cast %2 : tensor(_f1[3],k{}) document
%4 = cast %3 : tensor<float>(_f1[3],k{}) document
%5 = rename (_f1) (z) %4 : tensor<float>(k{},z[3]) document
return %5
)");
    // After a peek at other indexes some may be missing.
    EXPECT_NE(after("peek_ranges", "map_subspaces(b,f(v)(tensor(z[3])(v{x:(9-z)})))", schema()).find("fill"),
              std::string::npos);
}

TEST(PeekRanges, LeavesOtherIndexes) {
    for (const char *text : {"tensor(z[5])(t{x:(z+4)})",                   // the last index does not exist, and is 0
                             "tensor(z[5])(t{x:(z-1)})",                   // nor does the first
                             "tensor(z[5])(t{x:(4-z)})",                   // backwards
                             "tensor(z[4])(t{x:(z*2)})",                   // with steps
                             "tensor(z[3])(t{x:(z-0.5)})",                 // truncated to 0 twice
                             "tensor(z[3])(t{x:(z+0/0)})",                 // no number
                             "tensor(z[3])(t{x:(z+n)})",                   // known with the query
                             "tensor(z[2],w[2])(t{x:(z+w)})",              // from two indexes
                             "tensor(z[3])(m{x:(z),y:(z)})",               // across
                             "tensor(z[3])(tensor(k{}):{0:1}{k:(z)})"}) {  // labels
        EXPECT_FALSE(changes("peek_ranges", text, schema())) << text;
    }
}

TEST(PeekRanges, KeepsValues) {
    for (const char *cell_type : {"double", "float", "bfloat16", "int8"}) {
        const std::string type = std::string("tensor<") + cell_type + ">";
        const std::vector<Values> values = {
            random_values("t", Stage::document, type + "(x[8])", 3, Numbers::any, 3),
            random_values("m", Stage::document, type + "(x[3],y[4])", 3, Numbers::any, 4),
            random_values("b", Stage::document, type + "(k{},x[8])", 3, Numbers::any, 5),
            random_values("q", Stage::query, "tensor<float>(z[5])", 1, Numbers::smooth, 6)};
        for (const std::string text :
             {"tensor<float>(z[5])(t{x:(z+2)})", "tensor<int8>(z[5])(t{x:(z+3)})", "tensor<bfloat16>(z[8])(t{x:(z)})",
              "tensor(a[4],b[3])(m{x:(b),y:(a)})", "tensor(a[2],b[2])(m{x:(b+1),y:(a+2)})",
              "map_subspaces(b,f(v)(tensor<float>(z[3])(v{x:(z+2)})))",
              "map_subspaces(b,f(v)(tensor<float>(z[3])(v{x:(2-z)})))",
              "map_subspaces(b,f(v)(tensor<float>(z[3])(v{x:(9+z)})))", "tensor(z[3])(m{x:(z),y:(z)})",
              "tensor(x[3],y[4],k[2])(m{x:(x),y:(y)}*k)"}) {
            EXPECT_EQ(wrong_value(text, values), "") << text << " " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::peek_ranges_test
