#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::filter_products_test {
namespace {

using random::Numbers;

Schema schema() {
    Schema schema;
    schema.document("t", "tensor<float>(k{})").document("i", "tensor<int8>(k{})").document("s", "tensor(k{},l{})");
    schema.document("b", "tensor<float>(k{},x[3])").query("n", "double");
    return schema;
}

TEST(FilterProducts, OfTop) {
    EXPECT_EQ(after("filter_products", "top(n,t)", schema()), R"(
%0 = input "t" : tensor<float>(k{}) document
%1 = order max (k) %0 : tensor<float>(k{}) document
%2 = input "n" : double query
%3 = apply < %1 %2 : tensor<float>(k{}) document
%4 = filter %0 %3 : tensor<float>(k{}) document
return %4
)");
    // Arithmetic makes int8 cells float, also times 1.
    EXPECT_EQ(after("filter_products", "top(2,i)", schema()), R"(
%0 = input "i" : tensor<int8>(k{}) document
%1 = order max (k) %0 : tensor<float>(k{}) document
%2 = constant 2 : double constant
%3 = apply < %1 %2 : tensor<float>(k{}) document
%4 = cast %0 : tensor<float>(k{}) document
%5 = filter %4 %3 : tensor<float>(k{}) document
return %5
)");
}

TEST(FilterProducts, OfAnyComparison) {
    for (const char *text : {"filter_subspaces(t>n,f(v)(v))*t", "t*filter_subspaces(t==n&&t<3,f(v)(v))",
                             "b*filter_subspaces(t>n,f(v)(v))", "s*filter_subspaces(s!=0,f(v)(v))"}) {
        EXPECT_TRUE(changes("filter_products", text, schema())) << text;
    }
}

TEST(FilterProducts, LeavesWhatMayDiffer) {
    for (const char *text : {"t*filter_subspaces(t,f(v)(v))",       // cells are not 1
                             "t+filter_subspaces(t>n,f(v)(v))",     // a sum
                             "t*filter_subspaces(t>n,f(v)(1-v))",   // zeros are kept
                             "t*filter_subspaces(s>n,f(v)(v))",     // the product has more labels
                             "t*filter_subspaces(b>n,f(v)(v))"}) {  // and more indexes
        EXPECT_FALSE(changes("filter_products", text, schema())) << text;
    }
}

TEST(FilterProducts, KeepsValues) {
    for (const char *cell_type : {"double", "float", "bfloat16", "int8"}) {
        const std::string type = std::string("tensor<") + cell_type + ">";
        const std::vector<Values> values = {
            random_values("t", Stage::document, type + "(k{})", 4, Numbers::any, 3),
            random_values("u", Stage::query, type + "(k{})", 1, Numbers::any, 4),
            random_values("b", Stage::document, type + "(k{},x[3])", 4, Numbers::any, 5),
            random_values("n", Stage::query, "double", 1, Numbers::exact, 6)};
        for (const std::string text :
             {"top(n,t)", "t*filter_subspaces(u>0,f(v)(v))", "b*filter_subspaces(t>=u,f(v)(v))",
              "filter_subspaces(t<n,f(v)(v))*u", "sum(b*filter_subspaces(t!=n,f(v)(v)))"}) {
            EXPECT_EQ(wrong_value(text, values), "") << text << " " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::filter_products_test
