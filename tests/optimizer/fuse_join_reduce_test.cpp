#include <gmock/gmock.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_join_reduce_test {
namespace {

constexpr std::string_view pass = "fuse_join_reduce";

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x{})").query("w", "tensor<float>(v[3])").query("n");
    schema.document("d", "tensor<float>(x{},y{})").document("e", "tensor<float>(x{},v[3])");
    schema.document("f", "tensor<float>(x{})");
    return schema;
}

TEST(FuseJoinReduce, CellsAndAddresses) {
    EXPECT_EQ(after(pass, "reduce(max(q,d),prod)", schema()), R"(
%0 = input "q" : tensor<float>(x{}) query
%1 = input "d" : tensor<float>(x{},y{}) document
%2 = join_reduce max float prod (x,y) %0 %1 : double document
return %2
)");
    EXPECT_EQ(after(pass, "reduce(e/d,avg,x,v)", schema()), R"(
%0 = input "e" : tensor<float>(v[3],x{}) document
%1 = input "d" : tensor<float>(x{},y{}) document
%2 = join_reduce / float avg (v,x) %0 %1 : tensor<float>(y{}) document
return %2
)");
    EXPECT_EQ(after(pass, "count(d>e,x)", schema()), R"(
%0 = input "d" : tensor<float>(x{},y{}) document
%1 = input "e" : tensor<float>(v[3],x{}) document
%2 = join_reduce float count (x) %0 %1 : tensor<float>(v[3],y{}) document
return %2
)");
}

// A part of the addresses may have been joined before, which the graph does not say.
TEST(FuseJoinReduce, OfAnotherJoin) {
    EXPECT_EQ(after(pass, "sum(f*q/(f+2))", schema()), R"(
%0 = input "f" : tensor<float>(x{}) document
%1 = input "q" : tensor<float>(x{}) query
%2 = apply * %0 %1 : tensor<float>(x{}) document
%3 = constant 2 : double constant
%4 = apply + %0 %3 : tensor<float>(x{}) document
%5 = join_reduce / float sum (x) %2 %4 : double document
return %5
)");
}

TEST(FuseJoinReduce, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of(pass, text, schema()); };
    const std::pair<const char *, const char *> rows[] = {
        {"reduce(q-d,median)", "a median needs all cells at once"},
        {"reduce(q-d,max)*reduce((q-d)*w,sum)", "something else reads the join"},
        {"reduce(tanh(f)-relu(f*n),max)", "the operands of what it reduces have the same addresses"},
        {"reduce((q*d)-tanh(q*d),max,y)", "the operands of what it reduces have the same addresses"},
    };
    for (const auto &[text, reason] : rows) {
        EXPECT_THAT(reasons(text), testing::ElementsAre(reason)) << text;
        EXPECT_FALSE(changes(pass, text, schema())) << text;
    }
    for (const char *text : {"sum(tanh(q),x)", "reduce(q*f+q,max)", "sum(e*w,v)", "max(e-w,x)", "sum(q-e,v)", "(q-d)*2",
                             "reduce(q*n,max)"}) {
        EXPECT_THAT(reasons(text), testing::IsEmpty()) << text;
        EXPECT_FALSE(changes(pass, text, schema())) << text;
    }
}

TEST(FuseJoinReduce, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::string cells = "tensor<" + cell_type + ">";
        const std::vector<Values> inputs = {
            values("q", Stage::query, "tensor<float>(x{})", 1), values("n", Stage::document, "double", 2),
            values("d", Stage::document, cells + "(x{},y{})", 3), values("e", Stage::document, cells + "(x{},v[3])", 4),
            values("f", Stage::document, cells + "(x{})", 5)};
        for (const char *text :
             {"reduce(max(q,d),prod)", "reduce(e-d,avg,x,v)", "count(d>e,x)", "reduce(q-d,median)", "sum(f*q/(f*f+2))",
              "reduce(q*f+q,max)", "reduce(q-d,max)*sum((q-d)*0.5)", "reduce(q-f,max)*(q-f*n)", "count(f*q)+f*q",
              "reduce(f-q,min,x)*e*0.1", "reduce(n*f-q,max)", "sum(tanh(f*q)-f,x)+sum(f*q*e,x)", "sum(d*e,x)"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_join_reduce_test
