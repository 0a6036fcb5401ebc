#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::pack_scalars_test {
namespace {

Schema schema() {
    return std::move(Schema().document("a").document("b").query("c").document("i", "tensor<int8>(x[2])"));
}

TEST(PackScalars, NestedConcatenations) {
    constexpr const char *packed = R"(
%0 = input "a" : double document
%1 = input "b" : double document
%2 = input "c" : double query
%3 = pack 3 cells %0 %1 %2 : tensor(x[3]) document
return %3
)";
    EXPECT_EQ(after("pack_scalars", "concat(concat(a,b,x),c,x)", schema()), packed);
    EXPECT_EQ(after("pack_scalars", "concat(a,concat(b,c,x),x)", schema()), packed);
    EXPECT_EQ(after("pack_scalars", "concat(tensor(x[2]):[a,b],c,x)", schema()), packed);
    EXPECT_EQ(after("pack_scalars", "concat(concat(b,a,x),concat(b,c,x),x)", schema()), R"(
%0 = input "b" : double document
%1 = input "a" : double document
%2 = input "c" : double query
%3 = pack 4 cells %0 %1 %0 %2 : tensor(x[4]) document
return %3
)");
}

// A vector that others have parts of is packed for itself, and they take its scalars.
TEST(PackScalars, VectorsThatSeveralShare) {
    EXPECT_EQ(after("pack_scalars", "reduce(concat(a,b,x),min)+reduce(concat(concat(a,b,x),c,x),max)", schema()), R"(
%0 = input "a" : double document
%1 = input "b" : double document
%2 = input "c" : double query
%3 = pack 2 cells %0 %1 : tensor(x[2]) document
%4 = reduce min (x) %3 : double document
%5 = pack 3 cells %0 %1 %2 : tensor(x[3]) document
%6 = reduce max (x) %5 : double document
%7 = apply + %4 %6 : double document
return %7
)");
    EXPECT_EQ(after("pack_scalars", "concat(concat(a,b,x),concat(concat(a,b,x),i,x),x)", schema()), R"(
%0 = input "a" : double document
%1 = input "b" : double document
%2 = input "i" : tensor<int8>(x[2]) document
%3 = pack 2 cells %0 %1 : tensor(x[2]) document
%4 = concat (x) %3 %2 : tensor(x[4]) document
%5 = concat (x) %3 %4 : tensor(x[6]) document
return %5
)");
}

// Each vector on the way would have cells of its own: a chain of n scalars would take n*n/2 of them.
TEST(PackScalars, PacksALongChainOnce) {
    std::string text = "a";
    for (int i = 1; i < 500; ++i) {
        text = "concat(" + text + (i % 2 == 0 ? ",b,x)" : ",c,x)");
    }
    const std::size_t before = optimized(text, schema(), "pack_scalars", false).size();
    const ir::Graph graph = optimized(text, schema(), "pack_scalars", true);
    EXPECT_EQ(graph.size(), before + 1);
    EXPECT_EQ(graph[graph.outputs()[0].node].operands.size(), 500);
}

// In the order of the indexes, whatever that of the literal is.
TEST(PackScalars, OrderOfTheCells) {
    EXPECT_EQ(after("pack_scalars", "concat(tensor(x[2]):{{x:1}:a,{x:0}:b},c,x)", schema()), R"(
%0 = input "a" : double document
%1 = input "b" : double document
%2 = input "c" : double query
%3 = pack 3 cells %1 %0 %2 : tensor(x[3]) document
return %3
)");
}

TEST(PackScalars, LeavesWhatIsNoVectorOfScalars) {
    for (const char *text : {"concat(a,i,x)", "concat(i,i,x)",
                             // Another dimension, and cells that were rounded before.
                             "concat(tensor(x[2]):[a,b],c,y)", "concat(tensor<int8>(x[2]):[a,b],tensor(x[2]):[a,b],x)",
                             "concat(tensor(k{}):{p:a},c,x)", "a+b"}) {
        EXPECT_FALSE(changes("pack_scalars", text, schema())) << text;
    }
}

TEST(PackScalars, KeepsValues) {
    const std::vector<Values> inputs = {{"a", Stage::document, literals({"1.75", "nan"})},
                                        {"b", Stage::document, literals({"300.5", "-0.0"})},
                                        {"c", Stage::query, literals({"16777217"})}};
    for (const char *text :
         {"concat(concat(a,b,x),c,x)", "concat(tensor<int8>(x[2]):[a,b],tensor(x[2]):[a,b],x)",
          "concat(tensor<float>(x[2]):[a,c],c,x)", "concat(tensor(x[2]):{{x:1}:a,{x:0}:b},c,x)",
          "concat(tensor<int8>(x[2]):[a,b],c,x)", "concat(tensor<bfloat16>(x[2]):[a,b],tensor<float>(x[1]):[c],x)",
          "concat(concat(a,b,x),concat(c,b,x),y)", "concat(a,a,x)", "concat(concat(a,b,x),concat(a,b,x),x)",
          "concat(a,concat(concat(b,concat(c,a,x),x),concat(c,b,x),x),x)",
          "concat(concat(a,b,x),concat(concat(a,b,x),tensor<int8>(x[2]):[a,b],x),x)",
          "map_subspaces(concat(a,b,x),f(t)(concat(t,1,x)))"}) {
        EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::pack_scalars_test
