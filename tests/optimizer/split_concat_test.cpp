#include <tenrex/formats.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::split_concat_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x[2])").query("r", "tensor<float>(k{},x[2])");
    schema.document("d", "tensor<float>(x[3])").document("e", "tensor(x[3])").document("m", "tensor<float>(k{},x[3])");
    schema.document("u", "tensor<float>(x[5])").document("v");
    schema.constant("w", *from_literal("tensor<float>(x[5],y[2]):[[1,2],[3,4],[5,6],[7,8],[9,1]]"));
    schema.constant("z", *from_literal("tensor<float>(x[5]):[1,2,3,4,5]"));
    schema.constant("k", *from_literal("tensor<float>(k{},x[5]):{a:[1,2,3,4,5],b:[1,1,1,1,1]}"));
    return schema;
}

TEST(SplitConcat, ALayerOverAQueryAndADocument) {
    EXPECT_EQ(after("split_concat", "sum(concat(q,d,x)*w,x)", schema()), R"(
%0 = input "q" : tensor<float>(x[2]) query
%1 = input "d" : tensor<float>(x[3]) document
%2 = constant 10 cells : tensor<float>(x[5],y[2]) constant
%3 = slice (x) from 0 %2 : tensor<float>(x[2],y[2]) constant
%4 = contract * sum (x) %0 %3 : tensor<float>(y[2]) query
%5 = slice (x) from 2 %2 : tensor<float>(x[3],y[2]) constant
%6 = contract * sum (x) %1 %5 : tensor<float>(y[2]) document
%7 = apply + %4 %6 : tensor<float>(y[2]) document
return %7
)");
    for (const char *text :
         {"sum(z*concat(d,q,x))", "sum(concat(concat(q,d,x),q,x)*concat(q,z,x))", "sum(concat(r,m,x)*k,x)"}) {
        EXPECT_TRUE(changes("split_concat", text, schema())) << text;
    }
}

// One half is read as double, so that the sum is as exact as before.
TEST(SplitConcat, AddsInDouble) {
    EXPECT_EQ(after("split_concat", "sum(concat(q,e,x)*z)", schema()), R"(
%0 = input "q" : tensor<float>(x[2]) query
%1 = input "e" : tensor(x[3]) document
%2 = constant tensor<float>(x[5]):[1,2,3,4,5] : tensor<float>(x[5]) constant
%3 = slice (x) from 0 %2 : tensor<float>(x[2]) constant
%4 = cast %3 : tensor(x[2]) constant
%5 = contract * sum (x) %0 %4 : double query
%6 = slice (x) from 2 %2 : tensor<float>(x[3]) constant
%7 = contract * sum (x) %1 %6 : double document
%8 = apply + %5 %7 : double document
return %8
)");
}

TEST(SplitConcat, LeavesTheRest) {
    for (const char *text : {"sum(concat(d,d,x)*concat(z,1,x))",  // known at the same time
                             "sum(concat(q,d,x)*u)",              // nothing is known early
                             "sum(concat(q,d,x)*w,y)",            // the concatenation is not what is summed
                             "sum(concat(r,m,x)*k)",              // only labels that both halves have count
                             "sum((concat(q,d,x)-z)^2)", "max(concat(q,d,x)*z)", "sum(concat(v,q,x)*concat(q,1,x))"}) {
        EXPECT_FALSE(changes("split_concat", text, schema())) << text;
    }
}

TEST(SplitConcat, KeepsValues) {
    const std::vector<Values> inputs = {
        random_values("q", Stage::query, "tensor<float>(x[2])", 1, random::Numbers::any, 1),
        {"r", Stage::query, literals({"tensor<float>(k{},x[2]):{a:[1,2],b:[3,4],c:[5,6]}"})},
        {"m", Stage::document,
         literals({"tensor<float>(k{},x[3]):{a:[1,2,3]}", "tensor<float>(k{},x[3]):{b:[1,nan,3],d:[1,2,3]}",
                   "tensor<float>(k{},x[3]):{}"})},
        random_values("d", Stage::document, "tensor<float>(x[3])", 3, random::Numbers::any, 3),
        random_values("e", Stage::document, "tensor(x[3])", 3, random::Numbers::any, 4),
        {"k", Stage::constant, literals({"tensor<float>(k{},x[5]):{a:[1,2,3,4,5],b:[1,1,1,1,1]}"})},
        random_values("w", Stage::constant, "tensor<float>(x[5],y[2])", 1, random::Numbers::exact, 6),
        random_values("z", Stage::constant, "tensor<float>(x[5])", 1, random::Numbers::exact, 7),
    };
    for (const char *text :
         {"sum(concat(q,d,x)*w,x)", "sum(concat(d,q,x)*w)", "sum(concat(q,e,x)*z)", "sum(concat(r,m,x)*k)",
          "sum(concat(r,m,x)*k,x)", "sum(concat(r,d,x)*z,x)", "sum(concat(m,q,x)*z,x)", "sum(concat(m,q,x)*w)",
          "sum(concat(concat(q,d,x),q,x)*concat(q,z,x))", "relu(sum(concat(q,d,x)*w,x)+q{x:0})"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

TEST(SplitConcat, KeepsDigits) {
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<float>(x[3]):[10000000,1,-10000000]"})},
        {"e", Stage::document, literals({"tensor(x[1]):[0.1]"})},
        {"z", Stage::constant, literals({"tensor<float>(x[4]):[10000000,1,10000000,1]"})},
    };
    EXPECT_EQ(wrong_value("sum(concat(q,e,x)*z)", inputs), "");
}

}  // namespace
}  // namespace tenrex::optimizer::split_concat_test
