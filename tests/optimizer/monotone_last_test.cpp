#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<int8>(s{},h[2])").query("v", "tensor<float>(x[4])");
    schema.document("d", "tensor<int8>(m{},h[2])").document("e", "tensor<float>(m{},x[4])");
    schema.document("g", "tensor<float>(m{},n{},x[4])");
    return schema;
}

TEST(MonotoneLast, ClosenessOfTheNearest) {
    EXPECT_EQ(after("monotone_last", "reduce(1/(1+sum(hamming(q,d),h)),max,m)", schema()), R"(
%0 = constant 1 : double constant
%1 = input "q" : tensor<int8>(h[2],s{}) query
%2 = input "d" : tensor<int8>(h[2],m{}) document
%3 = contract hamming sum (h) %1 %2 : tensor<float>(m{},s{}) document
%4 = reduce min (m) %3 : tensor<float>(s{}) document
%5 = apply + %0 %4 : tensor<float>(s{}) document
%6 = apply / %0 %5 : tensor<float>(s{}) document
return %6
)");
    for (const char *text : {"reduce(1/(sum(hamming(q,d),h)+1),min,m)",
                             "sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s)", "reduce(1/(1+sum((g-v)^2,x)),max,m)",
                             "reduce(1/(1+sqrt(sum((g-v)^2,x))),max,n)", "reduce(1/(1+sum(abs(g-v),x)),max,n)"}) {
        EXPECT_TRUE(changes("monotone_last", text, schema())) << text;
    }
}

TEST(MonotoneLast, LeavesWhatMayBeNegativeOrEmpty) {
    for (const char *text :
         {"reduce(1/(1+sum(g*v,x)),max,m)",                           // may be below 0
          "reduce(1/(1+cell_cast(sum(hamming(q,d),h),int8)),max,m)",  // so may this: 128 wraps around
          "reduce(1/(1+sum((e-v)^2,x)),max,m)",                       // no block gives 0, not 1
          "reduce(2/(1+sum((g-v)^2,x)),max,m)", "reduce(1/(2+sum((g-v)^2,x)),max,m)",
          "reduce(1/(1+sum((g-v)^2,x)),sum,m)", "reduce(1/(1+sum((g-v)^2,x)),avg,m)",
          "reduce(1/(1-sum((g-v)^2,x)),max,m)", "reduce(1+sum((g-v)^2,x),max,m)"}) {
        EXPECT_FALSE(changes("monotone_last", text, schema())) << text;
    }
}

TEST(MonotoneLast, KeepsOddNumbers) {
    const std::string far = "255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255";
    const std::vector<Values> inputs = {
        {"q", Stage::query, literals({"tensor<int8>(s{},h[17]):{a:[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"})},
        {"d", Stage::document,
         literals({"tensor<int8>(m{},h[17]):{p:[" + far + "],q:[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}",
                   "tensor<int8>(m{},h[17]):{}"})},
        {"v", Stage::query, literals({"tensor<float>(x[2]):[0,0]"})},
        {"g", Stage::document,
         literals({"tensor<float>(m{},n{},x[2]):{{m:a,n:a,x:0}:nan,{m:b,n:a,x:0}:1,{m:b,n:a,x:1}:2,{m:a,n:b,x:0}:inf}",
                   "tensor<float>(m{},n{},x[2]):{{m:a,n:a,x:0}:nan,{m:a,n:b,x:0}:inf,{m:b,n:b,x:0}:nan}"})},
    };
    for (const char *text :
         {"reduce(1/(1+sum(hamming(q,d),h)),max,m)", "reduce(1/(1+cell_cast(sum(hamming(q,d),h),int8)),max,m)",
          "reduce(1/(1+sum((g-v)^2,x)),max,m)", "reduce(1/(1+sum((g-v)^2,x)),min,m)",
          "reduce(1/(1+sum((g-v)^2,x)),max)", "reduce(1/(1+sqrt(sum(g*v,x)-1)),max,n)",
          "reduce(1/(1+sum(hamming(q,d),h)),max)", "sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer
