#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::hoist_renames_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("m", "tensor<float>(k{},x[3])").document("c", "tensor<float>(x[3])");
    schema.document("y", "tensor<float>(y[3])").document("b", "tensor<float>(x[3],y[3])");
    schema.document("s", "tensor<float>(k{})").document("v");
    return schema;
}

TEST(HoistRenames, BlockLambdasLookAsIfWrittenWithoutThem) {
    EXPECT_EQ(after("hoist_renames", "map_subspaces(m,f(t)(reduce(t,max)))", schema()), R"(
%0 = input "m" : tensor<float>(k{},x[3]) document
%1 = reduce max (x) %0 : tensor(k{}) document
%2 = cast %1 : tensor<float>(k{}) document
return %2
)");
    EXPECT_EQ(after("hoist_renames", "filter_subspaces(s,f(t)(t>1))", schema()), R"(
%0 = input "s" : tensor<float>(k{}) document
%1 = constant 1 : double constant
%2 = cast %0 : tensor(k{}) document
%3 = apply > %2 %1 : tensor(k{}) document
%4 = filter %0 %3 : tensor<float>(k{}) document
return %4
)");
}

TEST(HoistRenames, RenamesOfRenames) {
    EXPECT_EQ(after("hoist_renames", "rename(rename(c,x,z),z,w)", schema()), R"(
%0 = input "c" : tensor<float>(x[3]) document
%1 = rename (x) (w) %0 : tensor<float>(w[3]) document
return %1
)");
    EXPECT_EQ(after("hoist_renames", "rename(rename(b,(x,y),(y,x)),(x,y),(y,x))", schema()), R"(
%0 = input "b" : tensor<float>(x[3],y[3]) document
return %0
)");
    // x becomes z, then y becomes x: all at once.
    EXPECT_EQ(after("hoist_renames", "rename(rename(b,x,z),y,x)", schema()), R"(
%0 = input "b" : tensor<float>(x[3],y[3]) document
%1 = rename (x,y) (z,x) %0 : tensor<float>(x[3],z[3]) document
return %1
)");
}

TEST(HoistRenames, EqualRenamesOfAllOperands) {
    EXPECT_EQ(after("hoist_renames", "sum(rename(c,x,z)*rename(c,x,z)*v,z)", schema()), R"(
%0 = input "c" : tensor<float>(x[3]) document
%1 = input "v" : double document
%2 = apply * %0 %0 : tensor<float>(x[3]) document
%3 = apply * %2 %1 : tensor<float>(x[3]) document
%4 = reduce sum (x) %3 : double document
return %4
)");
}

TEST(HoistRenames, NeverMixesTwoDimensions) {
    // The other operand has a dimension of the old or of the new name; so has what is concatenated along the old one;
    // ranks follow the order of the names.
    for (const char *text :
         {"rename(c,x,y)*c", "rename(c,x,y)*y", "rename(c,x,y)*b", "concat(rename(c,x,y),1,x)",
          "rename(b,(x,y),(y,x))*b", "cell_order(rename(b,x,z),max)", "concat(rename(c,x,y),c,x)", "rename(c,x,z)"}) {
        EXPECT_FALSE(changes("hoist_renames", text, schema())) << text;
    }
}

TEST(HoistRenames, KeepsValues) {
    const std::vector<Values> inputs = {
        random_values("m", Stage::document, "tensor<float>(k{},x[3])", 4, random::Numbers::exact, 1),
        random_values("n", Stage::document, "tensor<float>(k{},l{},x[3])", 4, random::Numbers::exact, 2),
        random_values("b", Stage::document, "tensor<float>(x[3],y[3])", 4, random::Numbers::exact, 3),
        random_values("c", Stage::document, "tensor<float>(x[3])", 4, random::Numbers::exact, 4),
    };
    for (const char *text :
         {"rename(b,(x,y),(y,x))+b", "rename(b,(x,y),(y,x))*rename(c,x,y)", "reduce(rename(b,x,z)*rename(c,x,z),sum,z)",
          "concat(rename(c,x,y),c,x)", "concat(rename(b,x,z),rename(c,x,z),z)", "rename(b,x,z){z:1}*rename(c,x,y)",
          "rename(n,(k,l),(l,k))*n", "reduce(rename(n,(k,l),(l,k)),max,k)", "cell_order(rename(b,(x,y),(y,x)),max)",
          "rename(c,x,z)*rename(c,x,w)", "filter_subspaces(rename(n,k,z),f(t)(reduce(t,sum)>0))",
          "merge(rename(m,k,z),rename(m,k,z),f(p,q)(p+q))", "map_subspaces(m,f(t)(tensor(y[2])(t{x:(y+1)})))",
          "rename(b,x,z){z:(rename(c,x,z){z:0})}"}) {
        EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::hoist_renames_test
