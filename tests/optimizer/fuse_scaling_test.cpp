#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_scaling_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<int8>(k{},x[8])").document("r", "tensor<float>(k{})");
    schema.query("w", "tensor<int8>(x[8],y[4])").query("c", "tensor<float>(y[4])").query("b", "tensor<float>(y[4])");
    return schema;
}

// Whole numbers of each row around its middle, its scale and its middle; as models write them.
constexpr const char *rows = "(f-(reduce(f,max,x)+reduce(f,min,x))/2)";
std::string product(const std::string &after) {
    const std::string range = "max((reduce(f,max,x)-reduce(f,min,x))/2,1e-30)";
    return fmt::format(
        "sum(cell_cast({}*(127/{})+12582912-12582912,int8)*w,x)*({}/127)*c+(reduce(f,max,x)+reduce(f,min,x))/2*t{}",
        rows, range, range, after);
}

TEST(FuseScaling, WithABias) {
    EXPECT_EQ(after("fuse_scaling", "sum(d*w,x)*sum(d,x)*c+reduce(d,max,x)*c+b", schema()), R"(
%0 = input "d" : tensor<int8>(k{},x[8]) document
%1 = input "w" : tensor<int8>(x[8],y[4]) query
%2 = reduce sum (x) %0 : tensor<float>(k{}) document
%3 = input "c" : tensor<float>(y[4]) query
%4 = reduce max (x) %0 : tensor<float>(k{}) document
%5 = input "b" : tensor<float>(y[4]) query
%6 = contract * sum (x) bias scaled %0 %1 %5 %2 %3 %4 %3 : tensor<float>(k{},y[4]) document
return %6
)");
}

TEST(FuseScaling, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of("fuse_scaling", text, schema()); };
    EXPECT_THAT(reasons("sum(d*w,x)*r*c+r*c"),
                testing::ElementsAre("the product is not scaled by numbers of its rows and columns"));
    for (const char *text : {"sum(d*w,x)*r*c+r*c", "sum(d*w,x)*sum(d,x)+b", "sum(d*w,x)*sum(d,x)*c", "r*c*c+r*c"}) {
        EXPECT_FALSE(changes("fuse_scaling", text, schema())) << text;
    }
    const std::string twice = "sum(d*w,x)*sum(d,x)*c+sum(d,x)*c";
    EXPECT_THAT(reasons("(" + twice + ")*sum(d*w,x)"),
                testing::ElementsAre("something else reads the product without its scale"));
}

TEST(FuseScaling, KeepsBits) {
    struct Shape {
        const char *labels;
        int k, n;
    };
    for (const auto &[labels, k, n] :
         {Shape{"k{},", 8, 4}, {"j[3],", 40, 100}, {"k{},j[3],", 40, 17}, {"k{},", 1100, 5}}) {
        SCOPED_TRACE(fmt::format("{}{} {}", labels, k, n));
        const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
            return random_values(name, stage, type, 3, random::Numbers::smooth, seed);
        };
        const std::vector<Values> inputs = {
            values("f", Stage::document, fmt::format("tensor<float>({}x[{}])", labels, k), 1),
            values("w", Stage::query, fmt::format("tensor<int8>(x[{}],y[{}])", k, n), 2),
            values("c", Stage::query, fmt::format("tensor<float>(y[{}])", n), 3),
            values("t", Stage::query, fmt::format("tensor<float>(y[{}])", n), 4),
            values("b", Stage::query, fmt::format("tensor<float>(y[{}])", n), 5)};
        std::string graph;
        EXPECT_EQ(wrong_value(product(""), inputs, Agreement::exact, &graph), "");
        EXPECT_THAT(graph, testing::HasSubstr("(x) scaled"));
        EXPECT_EQ(wrong_value("relu(" + product("+b") + ")*2", inputs, Agreement::exact, &graph), "");
        EXPECT_THAT(graph, testing::HasSubstr("bias relu scaled"));
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_scaling_test
