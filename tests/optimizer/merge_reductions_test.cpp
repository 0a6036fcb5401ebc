#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::merge_reductions_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(x[3],y[2])").document("s", "tensor<float>(k{},x[3])");
    schema.document("t", "tensor<float>(k{},l{})").document("b", "tensor<float>(x[3],y[2])");
    return schema;
}

TEST(MergeReductions, OfTheSameKind) {
    EXPECT_EQ(after("merge_reductions", "reduce(reduce(a,sum,x),sum,y)", schema()), R"(
%0 = input "a" : tensor<float>(x[3],y[2]) document
%1 = reduce sum (y,x) %0 : double document
return %1
)");
    for (const char *text : {"reduce(reduce(a,max,x),max,y)", "reduce(reduce(a,min,x),min,y)",
                             "reduce(reduce(t,prod,k),prod,l)", "reduce(reduce(s,max,x),max,k)"}) {
        EXPECT_TRUE(changes("merge_reductions", text, schema())) << text;
    }
}

TEST(MergeReductions, LeavesOthers) {
    for (const char *text : {"reduce(reduce(a,sum,x),max,y)",
                             "reduce(reduce(a,avg,x),avg,y)",      // an average of averages weighs groups alike
                             "reduce(reduce(a,count,x),count,y)",  // counts groups
                             "reduce(reduce(a,median,x),median,y)",
                             "reduce(reduce(s,min,k),min,x)",                  // without blocks the minimum of zeros
                             "reduce(cell_cast(reduce(a,sum,x),int8),sum,y)",  // rounded in between
                             "reduce(reduce(a,sum,x),sum,y)+reduce(reduce(a,sum,x),max,y)"})  // used elsewhere
    {
        EXPECT_FALSE(changes("merge_reductions", text, schema())) << text;
    }
}

TEST(MergeReductions, KeepsOddNumbers) {
    const std::vector<Values> inputs = {
        random_values("a", Stage::document, "tensor<float>(x[3],y[2])", 8, random::Numbers::any, 1),
        random_values("s", Stage::document, "tensor<float>(k{},x[3])", 8, random::Numbers::any, 2),
        random_values("t", Stage::document, "tensor<float>(k{},l{})", 8, random::Numbers::any, 3),
        {"e", Stage::document, literals({"tensor(k{},l{}):{}"})},
        {"n", Stage::document, literals({"tensor(k{},x[2]):{a:[nan,nan],b:[nan,-3]}"})},
    };
    for (const char *kind : {"max", "min", "sum", "prod"}) {
        for (const char *form : {"reduce(reduce(a,?,x),?,y)", "reduce(reduce(s,?,x),?,k)", "reduce(reduce(s,?,k),?,x)",
                                 "reduce(reduce(t,?,k),?,l)", "reduce(reduce(e,?,k),?,l)", "reduce(reduce(n,?,x),?,k)",
                                 "reduce(reduce(n,?,k),?,x)"}) {
            std::string text = form;
            for (std::size_t at = text.find('?'); at != text.npos; at = text.find('?')) {
                text.replace(at, 1, kind);
            }
            EXPECT_EQ(wrong_value(text, inputs), "") << text;
        }
    }
}

// As docs/numerics.md says: one reduction rounds once.
TEST(MergeReductions, RoundsOnce) {
    const std::vector<Values> inputs = {
        {"a", Stage::document, literals({"tensor<float>(x[2],y[2]):[[3e38,-3e38],[3e38,-3e38]]"})}};
    const std::string difference = wrong_value("sum(sum(a,x),y)", inputs);
    EXPECT_NE(difference.find("is 0, expected"), std::string::npos) << difference;
}

}  // namespace
}  // namespace tenrex::optimizer::merge_reductions_test
