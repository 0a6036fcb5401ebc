#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_round_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("d", "tensor<float>(k{},x[8])").document("m", "tensor<float>(k{})");
    schema.document("f", "tensor<float>(k{})").document("c", "tensor<float>(x[8])");
    return schema;
}

constexpr const char *whole = "cell_cast((d-m)*f+12582912-12582912,int8)";
constexpr const char *half = "cell_cast(d*65537-(d*65537-d),bfloat16)";

TEST(FuseRound, ToWholeNumbersOfRows) {
    EXPECT_EQ(after("fuse_round", "cell_cast((d-max(d,x))*sum(d,x)+12582912-12582912,int8)", schema()), R"(
%0 = input "d" : tensor<float>(k{},x[8]) document
%1 = reduce max (x) %0 : tensor<float>(k{}) document
%2 = reduce sum (x) %0 : tensor<float>(k{}) document
%3 = round %0 %1 %2 : tensor<int8>(k{},x[8]) document
return %3
)");
}

TEST(FuseRound, ToTheNearestHalf) {
    EXPECT_EQ(after("fuse_round", half, schema()), R"(
%0 = input "d" : tensor<float>(k{},x[8]) document
%1 = round %0 : tensor<bfloat16>(k{},x[8]) document
return %1
)");
}

TEST(FuseRound, SaysWhyNot) {
    // Inputs have addresses of their own.
    EXPECT_THAT(remarks_of("fuse_round", whole, schema()),
                testing::ElementsAre("the cells are not scaled by numbers of their rows"));
    for (const char *text :
         {whole, "cell_cast((d-max(d,x))*sum(d,x)+1258291-1258291,int8)", "cell_cast((d-c)*c+12582912-12582912,int8)",
          "cell_cast((d-max(d,x))*sum(d,x)+12582912-12582912,bfloat16)", "cell_cast(d*65537-(d*65537-d),int8)",
          "cell_cast(d*65536-(d*65536-d),bfloat16)", "cell_cast(d*65537-(d*65537-d)+d*65537,bfloat16)"}) {
        EXPECT_FALSE(changes("fuse_round", text, schema())) << text;
    }
}

TEST(FuseRound, KeepsBits) {
    for (const std::string labels : {"k{},", "j[3],", "k{},j[3],", ""}) {
        for (const int cells : {1, 7, 100}) {
            if (labels.empty() && cells == 1) {
                continue;  // a single cell is a number
            }
            SCOPED_TRACE(fmt::format("{}{}", labels, cells));
            const std::vector<Values> inputs = {random_values("d", Stage::document,
                                                              fmt::format("tensor<float>({}x[{}])", labels, cells), 5,
                                                              random::Numbers::any, 1)};
            const std::string range = "max((reduce(d,max,x)-reduce(d,min,x))/2,1e-30)";
            const std::string rounded = fmt::format(
                "cell_cast((d-(reduce(d,max,x)+reduce(d,min,x))/2)*(127/{})+12582912-12582912,int8)", range);
            std::string graph;
            EXPECT_EQ(wrong_value(rounded, inputs, Agreement::exact, &graph), "");
            EXPECT_THAT(graph, testing::HasSubstr(labels.empty() ? "cast" : "round %"));
            EXPECT_EQ(wrong_value(half, inputs, Agreement::exact, &graph), "");
            EXPECT_THAT(graph, testing::HasSubstr("round %"));
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_round_test
