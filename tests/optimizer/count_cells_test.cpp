#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

Schema schema() {
    Schema schema;
    schema.query("a", "tensor<float>(x[4])").document("b", "tensor<float>(x[4])");
    schema.document("m", "tensor<float>(x[4],y[3])").document("k", "tensor<float>(k{},x[4])");
    return schema;
}

TEST(CountCells, OfDenseValues) {
    EXPECT_EQ(after("count_cells", "count(a>b)", schema()), R"(
%0 = constant 4 : double constant
return %0
)");
    EXPECT_EQ(after("count_cells", "count(m*a,x)", schema()), R"(
%0 = constant tensor<float>(y[3]):[4,4,4] : tensor<float>(y[3]) constant
return %0
)");
}

// How many blocks there are is known when the documents come.
TEST(CountCells, LeavesLabels) {
    EXPECT_FALSE(changes("count_cells", "count(k*a)", schema()));
    EXPECT_FALSE(changes("count_cells", "count(k*a,x)", schema()));
    EXPECT_FALSE(changes("count_cells", "sum(a>b)", schema()));
}

TEST(CountCells, Values) {
    const std::vector<Values> inputs = {
        {"a", Stage::query, literals({"tensor<int8>(x[3]):[1,2,3]"})},
        {"b", Stage::document, literals({"tensor(x[3],y[2]):[[0,0],[1,2],[0,5]]", "tensor(x[3],y[2]):[]"})}};
    for (const char *text : {"count(a*b)", "count(a*b,x)", "count(b/0,y)*a", "sum(b,x)/count(b,x)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer
