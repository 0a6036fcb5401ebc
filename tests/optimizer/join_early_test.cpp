#include <tenrex/formats.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::join_early_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(k{},x[4])")
        .query("p", "tensor<float>(k{},l{},x[4])")
        .query("e", "tensor<float>(k{})");
    schema.constant("w", *from_literal("tensor<float>(k{},x[4]):{a:[1,2,3,4],b:[5,6,7,8]}"));
    schema.document("d", "tensor<float>(x[4])").document("c", "tensor<float>(k{})").document("l", "tensor<float>(l{})");
    schema.document("m", "tensor<float>(k{},x[4])").document("t", "tensor<float>(k{},z[2])").document("s");
    return schema;
}

TEST(JoinEarly, ThroughFunctions) {
    EXPECT_EQ(after("join_early", "sigmoid(sum(q*d,x)+e)*c", schema()), R"(
%0 = input "q" : tensor<float>(k{},x[4]) query
%1 = input "d" : tensor<float>(x[4]) document
%2 = input "e" : tensor<float>(k{}) query
%3 = input "c" : tensor<float>(k{}) document
%4 = join_addresses %0 %3 : tensor<float>(k{},x[4]) document
%5 = contract * sum (x) %4 %1 : tensor<float>(k{}) document
%6 = apply + %5 %2 : tensor<float>(k{}) document
%7 = apply sigmoid %6 : tensor<float>(k{}) document
%8 = apply * %7 %3 : tensor<float>(k{}) document
return %8
)");
}

TEST(JoinEarly, WhatNamesTheLabels) {
    for (const char *text : {"sum(w*d,x)*c", "c*sum(w*d,x)", "sum(sum(w*d,x)*c)", "sum(p*d,x)*l",
                             "sum(euclidean_distance(w,d,x)*c)", "sum((0.5+s*sum(q*d,x))*c)"}) {
        EXPECT_TRUE(changes("join_early", text, schema())) << text;
    }
}

TEST(JoinEarly, LeavesTheRest) {
    for (const char *text : {"sum(w*d,x)*e",                                     // the query names the labels
                             "sum(m*d,x)*c",                                     // the blocks are the document's
                             "sum(w*m,x)*c",                                     // joined before
                             "sum(w*d,x)*t",                                     // not only labels
                             "exp(exp(exp(exp(exp(exp(exp(sum(q*d,x))))))))*c",  // too far away
                             "sum(q*d,x)*l",                                     // another dimension
                             "sum(w*d)*c", "sum(p*d,k,x)*l",                     // the labels are summed
                             "reduce(sum(w*d,x)*c,max)+sum(sum(w*d,x))",         // the sums have another reader
                             "merge(sum(w*d,x),c,f(a,b)(a+b))"}) {
        EXPECT_FALSE(changes("join_early", text, schema())) << text;
    }
}

TEST(JoinEarly, Values) {
    const random::Numbers numbers = random::Numbers::smooth;
    const std::vector<Values> inputs = {
        random_values("q", Stage::query, "tensor<float>(k{},x[4])", 6, numbers, 1),
        random_values("p", Stage::query, "tensor<float>(k{},l{},x[4])", 6, numbers, 2),
        random_values("w", Stage::constant, "tensor<int8>(k{},x[4])", 6, numbers, 3),
        random_values("d", Stage::document, "tensor<float>(x[4])", 6, numbers, 4),
        random_values("c", Stage::document, "tensor<float>(k{})", 6, numbers, 5),
        random_values("l", Stage::document, "tensor<float>(l{})", 6, numbers, 6),
        random_values("b", Stage::document, "tensor<bfloat16>(x[4],y[3])", 6, numbers, 7),
        {"none", Stage::document, literals({"tensor<float>(k{}):{}"})},
    };
    for (const char *text :
         {"sum(sum(w*d,x)*c)", "sum(q*d,x)*c", "sum(sum(q*d,x)*none)", "sum(p*d,x)*l", "reduce(sum(p*d,x)*c,max,k)",
          "reduce(sum(q*b,x)*c,sum,k)", "max(sigmoid(sum(q*d,x)+0.5)*c)", "sum(sum(w*d,x)*c)+sum(sum(q*d,x)*c)",
          "sum(sum(hamming(w,d),x)*c)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::join_early_test
