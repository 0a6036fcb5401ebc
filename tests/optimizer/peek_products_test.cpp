#include <tenrex/formats.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::peek_products_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x[2])").query("u", "tensor<float>(cat[3],x[2])").query("i");
    schema.query("r", "tensor<float>(k{},x[2])").query("big", "tensor<float>(cat[100000],x[2])");
    schema.document("d", "tensor<float>(x[2])").document("c").document("b").document("t", "tensor<float>(cat[3],x[2])");
    schema.constant("e", *from_literal("tensor<float>(cat[3],x[2]):[[1,2],[3,4],[5,6]]"));
    schema.constant("l", *from_literal("tensor<float>(cat{},x[2]):{0:[1,2],1:[3,4],7:[5,6]}"));
    schema.constant("n", *from_literal("tensor(cat[3],x[2]):[[1,2],[3,4],[5,6]]"));
    schema.constant("two", *from_literal("tensor<float>(b{},n[2],x[2]):{0:[[1,2],[3,4]],1:[[5,6],[7,8]]}"));
    schema.constant("w", *from_literal("tensor<float>(x[2],h[3]):[[1,2,3],[4,5,6]]"));
    schema.constant("table", TensorBuilder(*TensorType::parse("tensor<float>(cat[3000],x[2])")).build());
    schema.constant("wide", TensorBuilder(*TensorType::parse("tensor<float>(x[2],h[100])")).build());
    return schema;
}

TEST(PeekProducts, ALayerOverAnEmbeddingIsARowThatIsThere) {
    EXPECT_EQ(after("peek_products", "sum(e{cat:(c)}*w,x)", schema()), R"(
%0 = constant tensor<float>(cat[3],x[2]):[[1,2],[3,4],[5,6]] : tensor<float>(cat[3],x[2]) constant
%1 = input "c" : double document
%2 = constant tensor<float>(h[3],x[2]):[[1,4],[2,5],[3,6]] : tensor<float>(h[3],x[2]) constant
%3 = contract * sum (x) %0 %2 : tensor<float>(cat[3],h[3]) constant
%4 = peek {cat:(operand 1)} %3 %1 : tensor<float>(h[3]) document
return %4
)");
}

TEST(PeekProducts, WhatIsKnownBeforeThePeek) {
    for (const char *text : {"sum(q*e{cat:(c)})", "sum(u{cat:(c)}*q)", "sum(q*n{cat:(c)})", "sum(q*0.3*e{cat:(c)})",
                             "sum(u{cat:(i)}*e{cat:(c)})", "sum(sum(e{cat:(c)}*w,x),h)"}) {
        EXPECT_TRUE(changes("peek_products", text, schema())) << text;
    }
}

TEST(PeekProducts, LeavesTheRest) {
    for (const char *text : {"sum(d*e{cat:(c)})",    // nothing to multiply before the document
                             "sum(q*t{cat:(c)})",    // the document brings the table
                             "sum(q*big{cat:(c)})",  // more work than the rows that are picked
                             "sum(q*l{cat:(c)})",    // any number of labels
                             "sum(q*two{n:(c),b:(b)})",
                             "sum(table{cat:(c)}*wide,x)",  // sums larger than the table
                             "sum(q*e{cat:(i)})",           // the query picks
                             "sum(r*e{cat:(c)},x)",         // labels
                             "sum(q*two{n:(c)},x)",         // of which some are left
                             "max(q*e{cat:(c)})",           // another aggregate
                             "sum(u*e{cat:(c)},x)"}) {      // two dimensions of one name
        EXPECT_FALSE(changes("peek_products", text, schema())) << text;
    }
}

TEST(PeekProducts, PlacesThatDoNotExistAreZero) {
    const std::vector<Tensor> places = literals({"0", "1", "1.9", "2", "3", "7", "-1", "1e30"});
    const std::vector<Tensor> others = literals({"1", "0", "1", "1", "0", "2", "0", "0"});
    const auto constant = [](const std::string &name, const std::string &literal) {
        return Values{name, Stage::constant, literals({literal})};
    };
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<float>(x[2]):[0.5,-3]"})},
        {"c", Stage::document, places},
        {"b", Stage::document, others},
        constant("e", "tensor<float>(cat[3],x[2]):[[1,2],[3,4],[5,6]]"),
        constant("l", "tensor<float>(cat{},x[2]):{0:[1,2],1:[3,4],7:[5,6]}"),
        constant("n", "tensor(cat[3],x[2]):[[1,2],[3,4],[5,6]]"),
        constant("two", "tensor<float>(b{},n[2],x[2]):{0:[[1,2],[3,4]],1:[[5,6],[7,8]]}"),
        constant("w", "tensor<float>(x[2],h[3]):[[1,2,3],[4,5,6]]"),
    };
    for (const char *text : {"sum(q*e{cat:(c)})", "sum(q*l{cat:(c)})", "sum(q*n{cat:(c)})", "sum(q*two{n:(c),b:(b)})",
                             "sum(e{cat:(c)}*w,x)", "sum(sum(e{cat:(c)}*w,x)*b,h)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::peek_products_test
