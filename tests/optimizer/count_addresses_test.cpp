#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::count_addresses_test {
namespace {

Schema schema() {
    Schema schema;
    schema.query("a", "tensor<float>(x{})").document("b", "tensor<float>(x{})").document("c", "tensor<float>(y{})");
    schema.document("m", "tensor<float>(x{},z[3])").document("n", "tensor<float>(y{},z[3])");
    schema.document("d", "tensor<float>(z[3])").document("e", "tensor<float>(w[2])").document("s");
    return schema;
}

TEST(CountAddresses, CommonAddresses) {
    constexpr const char *common = R"(
%0 = input "a" : tensor<float>(x{}) query
%1 = input "b" : tensor<float>(x{}) document
%2 = join_addresses %0 %1 : tensor<float>(x{}) document
%3 = reduce count (x) %2 : double document
return %3
)";
    for (const char *text : {"count(a*b)", "count(join(a,b,f(s,t)(s+t)))", "count(exp(a)*2-a/b)", "count(max(a,s)^b)",
                             "count(map(a*b,f(t)(t in [1,2])))", "count(cell_cast(a-b,double))"}) {
        EXPECT_EQ(after("count_addresses", text, schema()), common) << text;
    }
}

TEST(CountAddresses, OfOneValue) {
    EXPECT_EQ(after("count_addresses", "count(exp(m)*d)", schema()), R"(
%0 = input "m" : tensor<float>(x{},z[3]) document
%1 = reduce count (x,z) %0 : double document
return %1
)");
    EXPECT_EQ(after("count_addresses", "count(sqrt(m),z)", schema()), R"(
%0 = input "m" : tensor<float>(x{},z[3]) document
%1 = reduce count (z) %0 : tensor<float>(x{}) document
return %1
)");
}

TEST(CountAddresses, FactorsWithoutACommonLabel) {
    EXPECT_EQ(after("count_addresses", "count(m*n)", schema()), R"(
%0 = input "m" : tensor<float>(x{},z[3]) document
%1 = input "n" : tensor<float>(y{},z[3]) document
%2 = reduce count (x,z) %0 : double document
%3 = reduce count (y,z) %1 : double document
%4 = apply * %2 %3 : double document
%5 = constant 3 : double constant
%6 = apply / %4 %5 : double document
return %6
)");
    EXPECT_EQ(after("count_addresses", "count(b*e)", schema()), R"(
%0 = input "b" : tensor<float>(x{}) document
%1 = reduce count (x) %0 : double document
%2 = constant 2 : double constant
%3 = apply * %1 %2 : double document
return %3
)");
}

TEST(CountAddresses, WithoutLabelsItIsANumber) {
    EXPECT_EQ(after("count_addresses", "count(d>0)", schema()), R"(
%0 = constant 3 : double constant
return %0
)");
    EXPECT_EQ(after("count_addresses", "count(d*e)", schema()), R"(
%0 = constant 6 : double constant
return %0
)");
}

TEST(CountAddresses, WithoutLabelsEachCellIsANumber) {
    EXPECT_EQ(after("count_addresses", "count(d*e,w)", schema()), R"(
%0 = constant tensor<float>(z[3]):[2,2,2] : tensor<float>(z[3]) constant
return %0
)");
}

TEST(CountAddresses, LeavesTheRest) {
    for (const char *text : {"sum(a*b)", "avg(a*b)", "count(a)", "count(merge(a,b,f(s,t)(s+t)))",
                             "count(filter_subspaces(a,f(t)(t>0)))", "count(m,x)"}) {
        EXPECT_FALSE(changes("count_addresses", text, schema())) << text;
    }
}

TEST(CountAddresses, GivesTheSame) {
    const auto numbers = random::Numbers::any;
    const std::vector<Values> inputs = {
        random_values("a", Stage::query, "tensor<float>(x{})", 1, numbers, 1),
        random_values("b", Stage::document, "tensor<int8>(x{})", 6, numbers, 2),
        random_values("c", Stage::document, "tensor(y{})", 6, numbers, 3),
        random_values("m", Stage::document, "tensor<bfloat16>(x{},z[3])", 6, numbers, 4),
        random_values("n", Stage::constant, "tensor<float>(y{},z[3])", 1, numbers, 5),
        random_values("o", Stage::document, "tensor<float>(x{},y{},w[2])", 6, numbers, 6),
        random_values("d", Stage::document, "tensor<float>(z[3])", 6, numbers, 7),
        random_values("e", Stage::document, "tensor<float>(w[2])", 6, numbers, 8),
    };
    for (const char *text : {"count(a*b)", "count(a+b*m)", "count(b*c)", "count(m*n)", "count(m*n*e)",
                             "count(a*b*c*m*n*o)", "count(a*e*d)", "count(m*n,x)", "count(m*n,y,z)", "count(a*o,x)",
                             "count(a*o,w,y)", "count(b*d,z)", "count(d*e)", "count(d*e,z)", "count(b/0,x)",
                             "count(cell_order(a*b,max))", "count(a*b)/count(a)", "count(m*n)+max(m*n)"}) {
        EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::count_addresses_test
