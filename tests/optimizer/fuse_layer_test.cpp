#include <gmock/gmock.h>

#include <span>
#include <string>
#include <utility>

#include "lib/support/format.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_layer_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(x[8])").document("m", "tensor<float>(k{},x[8])");
    schema.query("w", "tensor<float>(x[8],y[4])").query("b", "tensor<float>(y[4])").query("n");
    schema.document("c", "tensor<float>(y[4])").query("v", "tensor<float>(x[8],y[4],z[2])");
    return schema;
}

TEST(FuseLayer, BiasAndRelu) {
    EXPECT_EQ(after("fuse_layer", "relu(sum(d*w,x)+b)", schema()), R"(
%0 = input "d" : tensor<float>(x[8]) document
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = input "b" : tensor<float>(y[4]) query
%3 = contract * sum (x) bias relu %0 %1 %2 : tensor<float>(y[4]) document
return %3
)");
    EXPECT_EQ(after("fuse_layer", "b+sum(w*m,x)", schema()), R"(
%0 = input "b" : tensor<float>(y[4]) query
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = input "m" : tensor<float>(k{},x[8]) document
%3 = contract * sum (x) bias %2 %1 %0 : tensor<float>(k{},y[4]) document
return %3
)");
    EXPECT_EQ(after("fuse_layer", "relu(sum(w*d,x))", schema()), R"(
%0 = input "w" : tensor<float>(x[8],y[4]) query
%1 = input "d" : tensor<float>(x[8]) document
%2 = contract * sum (x) relu %0 %1 : tensor<float>(y[4]) document
return %2
)");
}

// A last layer often has one cell, whose bias would be a number anywhere else.
TEST(FuseLayer, BiasOfOneCell) {
    for (const char *rows : {"d", "m"}) {
        const std::string text =
            std::string("sum(") + rows +
            "*tensor<float>(x[8],y[1]):[[1],[2],[3],[4],[5],[6],[7],[8]],x)+tensor<float>(y[1]):[0.5]";
        EXPECT_THAT(after("fuse_layer", text, schema()), testing::HasSubstr("contract * sum (x) bias")) << text;
    }
}

// As networks write it, in some of the orders that exporters have.
constexpr const char *gelus[] = {"u*(erf(u/1.4142135)+1)*0.5", "u*0.5*(1+erf(u*0.70710678))",
                                 "0.5*(u*(1+erf(u/sqrt(2))))", "u*(0.5*erf(u/1.4142135)+0.5)",
                                 "(erf(u/1.4142135)+1)/2*u"};
constexpr const char *gelus_by_tanh[] = {"0.5*u*(1+tanh(0.7978845608*(u+0.044715*u*u*u)))",
                                         "u*(0.5*(1+tanh(0.7978845608*(u+0.044715*u^3))))",
                                         "u*0.5*(tanh(u*0.7978845608*(u*0.044715*u+1))+1)"};

std::string of(std::string text, const std::string &cells) {
    for (std::size_t at = 0; (at = text.find('u', at)) != text.npos; at += cells.size()) {
        text.replace(at, 1, cells);
    }
    return text;
}

TEST(FuseLayer, Gelu) {
    for (const auto &[texts, name] : {std::pair(std::span<const char *const>(gelus), "gelu"),
                                      std::pair(std::span<const char *const>(gelus_by_tanh), "gelu_tanh")}) {
        for (const char *text : texts) {
            EXPECT_EQ(after("fuse_layer", of(text, "(sum(m*w,x)+b)"), schema()), fmt::format(R"(
%0 = input "m" : tensor<float>(k{{}},x[8]) document
%1 = input "w" : tensor<float>(x[8],y[4]) query
%2 = input "b" : tensor<float>(y[4]) query
%3 = contract * sum (x) bias {} %0 %1 %2 : tensor<float>(k{{}},y[4]) document
return %3
)",
                                                                                             name))
                << text;
        }
    }
    for (const char *text : {"u*(erf(u/1.41)+1)*0.5", "u*(erf(u/1.4142135)+1)*0.25", "u*(erf(u/1.4142135)+2)*0.5",
                             "u*(erf(u*u)+1)*0.5", "u*(erf(u/1.4142135)+1)*0.5+u", "u*(tanh(u)+1)*0.5"}) {
        EXPECT_EQ(after("fuse_layer", of(text, "(sum(m*w,x)+b)"), schema()).find("gelu"), std::string::npos) << text;
    }
}

TEST(FuseLayer, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_layer", text, schema()); };
    EXPECT_THAT(reasons("relu(sum(d*w,x)+b)"), testing::IsEmpty());
    EXPECT_THAT(reasons("sum(d*w,x)+c"), testing::ElementsAre("each document has a bias of its own"));
    EXPECT_THAT(reasons("sum(d*w,x)+n"), testing::ElementsAre("the bias is no row of what the product has as columns"));
    EXPECT_THAT(reasons("(sum(d*w,x)+b)*sum(d*w,x)"),
                testing::ElementsAre("something else reads the product without its bias"));
    EXPECT_THAT(reasons("relu(sum(d*w,x))*sum(d*w,x)"),
                testing::ElementsAre("something else reads the product without its relu"));
    for (const char *text : {"sum(d*w,x)+c", "sum(d*w,x)+n", "relu(d)", "tanh(sum(d*w,x))", "sum(d*d)+n"}) {
        EXPECT_FALSE(changes("fuse_layer", text, schema())) << text;
    }
}

TEST(FuseLayer, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const char *type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::vector<Values> inputs = {
            values("d", Stage::document, ("tensor<" + cell_type + ">(x[8])").c_str(), 1),
            values("m", Stage::document, ("tensor<" + cell_type + ">(k{},x[8])").c_str(), 2),
            values("w", Stage::query, ("tensor<" + cell_type + ">(x[8],y[4])").c_str(), 3),
            values("b", Stage::query, "tensor<float>(y[4])", 4),
            values("c", Stage::document, "tensor<float>(y[4])", 5)};
        for (const char *text : {"relu(sum(d*w,x)+b)", "relu(sum(m*w,x)+b)", "b+sum(w*d,x)", "relu(sum(m*w,x))",
                                 "sum(d*w,x)+c", "relu(sum(m*w,x)+b)*sum(d*w,x)"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
        for (const char *text : {gelus[0], gelus_by_tanh[0]}) {
            EXPECT_EQ(wrong_value(of(text, "(sum(m*w,x)+b)"), inputs), "") << text << " with " << cell_type;
            EXPECT_EQ(wrong_value(of(text, "sum(d*w,x)"), inputs), "") << text << " with " << cell_type;
        }
    }
}

// Each of its products might end a gelu: none is looked at as a whole.
TEST(FuseLayer, TakesLittleTimeForLongProducts) {
    std::string text = "sum(m*w,x)";
    for (std::size_t i = 0; i < 20000; ++i) {
        text += "*n";
    }
    EXPECT_FALSE(changes("fuse_layer", text, schema()));
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_layer_test
