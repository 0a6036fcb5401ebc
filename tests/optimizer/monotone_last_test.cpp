#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::monotone_last_test {
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
    for (const char *text :
         {"reduce(1/(sum(hamming(q,d),h)+1),min,m)", "sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s)",
          "reduce(1/(1+sum((g-v)^2,x)),max,m)", "reduce(1/(1+sqrt(sum((g-v)^2,x))),max,n)",
          "reduce(1/(1+sum(abs(g-v),x)),max,n)", "reduce(1/(1+sum((e-v)^2,x)),max,m)"}) {
        EXPECT_TRUE(changes("monotone_last", text, schema())) << text;
    }
}

Schema many() {
    Schema schema;
    schema.query("q", "tensor<float>(x[4])").query("u", "double").query("w", "tensor<float>(s{})");
    schema.query("z", "tensor<int8>(s{})").query("qs", "tensor<float>(s{},x[4])");
    schema.document("d", "tensor<float>(m{},x[4])").document("g", "tensor<float>(m{},n{},x[4])");
    schema.document("i", "tensor<int8>(m{},n{},h[2])").document("c", "tensor<float>(m{})");
    schema.document("t", "tensor(m{})").document("e", "tensor<float>(x[16])").document("k", "tensor<float>(m{},s{})");
    schema.document("f", "double").document("b", "tensor<bfloat16>(m{},n{})");
    return schema;
}

TEST(MonotoneLast, AnyFunctionOfDotProducts) {
    EXPECT_EQ(after("monotone_last", "sum(reduce(sigmoid(0.5*sum(qs*d,x)-1),max,m))", many()), R"(
%0 = constant 0.5 : double constant
%1 = input "qs" : tensor<float>(s{},x[4]) query
%2 = input "d" : tensor<float>(m{},x[4]) document
%3 = constant 1 : double constant
%4 = contract * sum (x) %1 %2 : tensor<float>(m{},s{}) document
%5 = reduce max (m) %4 : tensor<float>(s{}) document
%6 = apply * %0 %5 : tensor<float>(s{}) document
%7 = apply - %6 %3 : tensor<float>(s{}) document
%8 = apply sigmoid %7 : tensor<float>(s{}) document
%9 = reduce sum (s) %8 : double document
return %9
)");
    for (const char *text : {"reduce(-sum(g*q,x),max,m)",
                             "reduce(2-sum(g*q,x),min,m)",
                             "reduce(sum(g*q,x)*3,max,m)",
                             "reduce(sum(g*q,x)/-3,max,m)",
                             "reduce(exp(-sum(g*q,x)),max,m)",
                             "reduce(relu(sum(g*q,x)),min,m)",
                             "reduce(log(sum(g*q,x)),max,m)",
                             "reduce(sqrt(sum((g-q)^2,x)),min,m)",
                             "reduce(sum((g-q)^2,x)^2,min,m)",
                             "reduce(sum((g-q)^2,x)^-0.5,max,m)",
                             "reduce(0.5^sum(g*q,x),max,m)",
                             "reduce(max(sum(g*q,x),u),max,m)",
                             "reduce(max(0,sum(g*q,x)),max,m)",
                             "reduce(min(3,sum(g*q,x)),min,m)",
                             "reduce(sum(g*q,x)>u,max,m)",
                             "reduce(u>=sum(g*q,x),max,m)",
                             "reduce(1/(1+exp(sum(g*q,x))),max,m)",
                             "reduce(floor(g),max,m)",
                             "reduce(erf(atan(sum(g*q,x))),min,n)",
                             "reduce(elu(tanh(sum(g*q,x))),max,n)",
                             "reduce(sum(hamming(i,i+1),h)*(1+z*z),max,m)",
                             "reduce(map(sum(g*q,x),f(x)(1/(1+exp(-x)))),max,m)",
                             "reduce(cell_cast(sum(g*q,x),bfloat16),max,m)",
                             "reduce(cell_cast(b,double),max,m)",
                             "reduce(2/(1+sum((g-q)^2,x)),max,m)",
                             "reduce(1/sum((g-q)^2,x),max,m)"}) {
        EXPECT_TRUE(changes("monotone_last", text, many())) << text;
    }
}

// No block gives 0, and not f(0); and a tensor of floats is rounded where a number is not.
TEST(MonotoneLast, NumbersOfDocumentsThatMayHaveNoBlocks) {
    EXPECT_EQ(after("monotone_last", "reduce(exp(sum(d*q,x)),max)", many()), R"(
%0 = input "d" : tensor<float>(m{},x[4]) document
%1 = input "q" : tensor<float>(x[4]) query
%2 = contract * sum (x) %0 %1 : tensor<float>(m{}) document
%3 = reduce count (m,x) %0 : double document
%4 = reduce max (m) %2 : double document
%5 = constant tensor(_m[1]):[0] : tensor(_m[1]) constant
%6 = join_addresses %4 %5 : tensor(_m[1]) document
%7 = cast %6 : tensor<float>(_m[1]) document
%8 = apply exp %7 : tensor<float>(_m[1]) document
%9 = cast %8 : tensor(_m[1]) document
%10 = constant 0 : double constant
%11 = select %3 %9 %10 : tensor(_m[1]) document
%12 = peek {_m:0} %11 : double document
return %12
)");
    EXPECT_EQ(after("monotone_last", "reduce(tanh(t),min)", many()), R"(
%0 = input "t" : tensor(m{}) document
%1 = reduce min (m) %0 : double document
%2 = apply tanh %1 : double document
return %2
)");
    for (const char *text : {"reduce(exp(c),max)", "reduce(1/(1+sum((d-q)^2,x)),max,m)", "reduce(tanh(e),max)",
                             "reduce(0.5*sum(d*q,x),max,m)", "reduce(exp(sum(d*qs,x)),max)", "reduce(d*2,max,m)"}) {
        EXPECT_TRUE(changes("monotone_last", text, many())) << text;
    }
    for (const char *text : {"reduce(c*2,max)",                 // takes as long as what it takes for a number
                             "reduce(1+d,max,m)",               // so does this: the blocks must be counted
                             "reduce(1+sum(d*qs,x),max)",       // so does this: all pairs of rows
                             "reduce(exp(c*sum(d*q,x)),max)"})  // more than one operand has the labels
    {
        EXPECT_FALSE(changes("monotone_last", text, many())) << text;
    }
}

TEST(MonotoneLast, LeavesWhatMayFallOrBeNaN) {
    for (const char *text :
         {"reduce(1/(1+sum(g*q,x)),max,m)",                           // may be below 0
          "reduce(1/(1+cell_cast(sum(hamming(i,1),h),int8)),max,m)",  // so may this: 128 wraps around
          "reduce(cell_cast(sum(g*q,x),int8),max,m)",
          "reduce(sum(g*q,x)^2,max,m)",
          "reduce(abs(sum(g*q,x)),max,m)",
          "reduce(cos(sum(g*q,x)),max,m)",
          "reduce(sum(g*q,x)*u,max,m)",       // of either sign
          "reduce(sum(g*q,x)*abs(u),max,m)",  // 0, and an infinity among the products
          "reduce(sum(g*q,x)*0,max,m)",       // the same
          "reduce(sum(g*q,x)*1e-50,max,m)",   // the same, in float
          "reduce(sum(g*q,x)+u,max,m)",       // infinity, and its opposite among the products
          "reduce(log(sum(g*q,x)),min,m)",    // below 0 it gives NaN, which is passed over
          "reduce(max(0,sum(g*q,x)),min,m)",  // makes 0 of NaN
          "reduce(sum(g*q,x)>u,min,m)",       // so does this
          "reduce(acos(sum(g*q,x)),max,m)",
          "reduce(sign(sum(g*q,x)),max,m)",
          "reduce(sum(g*q,x)^u,max,m)",
          "reduce(u^sum(g*q,x),max,m)",
          "reduce(1/sqrt(sum((g-q)^2,x)-1),max,m)",
          "reduce(1/(1+sum((g-q)^2,x)),sum,m)",
          "reduce(1/(1+sum((g-q)^2,x)),avg,m)",
          "reduce(1/(1-sum((g-q)^2,x)),max,m)",
          "reduce(k*w,max,m)",
          "reduce(c+c*2,max,m)",
          "reduce(sigmoid(sum(g*q,x)),max,m)+sum(sigmoid(sum(g*q,x)),m)"}) {  // is needed anyway
        EXPECT_FALSE(changes("monotone_last", text, many())) << text;
    }
}

// What no address of the document stands behind must not come back with those of another operand.
TEST(MonotoneLast, LeavesAddressesThatAnotherOperandBrings) {
    EXPECT_FALSE(changes("monotone_last", "reduce(min(sum(d*q,x),w),max,m)", many()));
    EXPECT_TRUE(changes("monotone_last", "reduce(min(sum(d*qs,x),w),max,m)", many()));
    EXPECT_TRUE(changes("monotone_last", "reduce(min(e,w),max,x)", many()));
}

// A join of labels and its reduction are one step.
TEST(MonotoneLast, LeavesJoinsOfLabels) {
    EXPECT_FALSE(changes("monotone_last", "reduce(min(k,w),max,m)", many()));
    EXPECT_TRUE(changes("monotone_last", "reduce(exp(min(k,w)),max,m)", many()));
}

// Nested extremes meet, so that they are one.
TEST(MonotoneLast, ExtremesOfExtremes) {
    EXPECT_EQ(after("merge_reductions", "reduce(reduce(2*k,max,m),max,s)", many()), R"(
%0 = constant 2 : double constant
%1 = input "k" : tensor<float>(m{},s{}) document
%2 = reduce max (m) %1 : tensor<float>(s{}) document
%3 = apply * %0 %2 : tensor<float>(s{}) document
%4 = reduce max (s) %3 : double document
return %4
)");
}

// 0 times infinity is not 0, though no cell is 0.
TEST(MonotoneLast, NothingTimesInfinityIsNothing) {
    const std::vector<Values> inputs = {{"t", Stage::document, literals({"tensor(m{}):{}", "tensor(m{}):{a:1,b:-2}"})}};
    for (const char *text : {"reduce(map(t,f(x)(if(x>0,1,2)))*(1/0),max)", "reduce((1/0)*map(t,f(x)(if(x>0,1,2))),min)",
                             "reduce(map(t,f(x)(if(x>0,1,2)))/(1/0),max)"}) {
        EXPECT_EQ(wrong_value(text, inputs), "") << text;
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

// Cells that are NaN, infinite, -0, too large for a float once exp has seen them, and no cells at all.
TEST(MonotoneLast, GivesWhatTheFunctionsOfAllCellsGive) {
    const std::vector<std::string> odd = {
        "{}",
        "{{m:a,s:p}:nan,{m:b,s:p}:nan,{m:a,s:q}:nan,{m:b,s:q}:-2}",
        "{{m:a,s:p}:-inf,{m:b,s:p}:1,{m:a,s:q}:inf,{m:b,s:q}:nan}",
        "{{m:a,s:p}:inf,{m:b,s:q}:-inf}",
        "{{m:a,s:p}:-0.0,{m:b,s:p}:-3,{m:c,s:q}:0,{m:a,s:q}:-1}",
        "{{m:a,s:p}:100,{m:b,s:p}:-100,{m:c,s:q}:-120,{m:a,s:q}:-110.5}",
    };
    std::vector<Values> inputs = {
        {"u", Stage::query, literals({"-1.5"})},
        {"w", Stage::query, literals({"tensor<float>(s{}):{p:2,q:-0.5,r:7}"})},
        {"z", Stage::query, literals({"tensor<int8>(s{}):{p:2,q:0}"})},
    };
    for (const auto &[name, type] : {std::pair("f", "tensor<float>(m{},s{}):"), std::pair("d", "tensor(m{},s{}):"),
                                     std::pair("b", "tensor<bfloat16>(m{},s{}):")}) {
        std::vector<std::string> texts;
        for (const std::string &cells : odd) {
            texts.push_back(type + cells);
        }
        inputs.push_back({name, Stage::document, literals(texts)});
    }
    const auto check = [&](std::string function, const char *around) {
        for (const char *input : {"f", "d", "b"}) {
            for (const char *reduction : {"max,m", "min,m", "max", "min"}) {
                std::string text = "reduce(" + function + "," + reduction + ")";
                text.replace(text.find('%'), 1, input);
                text = around + text;
                EXPECT_EQ(wrong_value(text, inputs), "") << text;
            }
        }
    };
    for (const char *function : {"exp(%)",        "exp(-%)",
                                 "log(%)",        "-log(%)",
                                 "sqrt(%)",       "1/(1+exp(%))",
                                 "sigmoid(%)",    "1/sigmoid(%)",
                                 "tanh(%)",       "elu(%)",
                                 "floor(%*0.25)", "ceil(-%)",
                                 "round(%)",      "2*%",
                                 "-2*%",          "%/-4",
                                 "1/exp(%)",      "log(exp(%))",
                                 "3+%",           "3-%",
                                 "%+1/0",         "%-1/0",
                                 "%*(1/0)",       "2^%",
                                 "0.5^%",         "exp(%)^0.5",
                                 "(%)^2",         "exp(%)^2",
                                 "%*w",           "map(%,f(x)(1/(2+exp(-x))))",
                                 "atan(%)",       "erf(%)",
                                 "sinh(%)",       "cell_cast(cell_cast(%,float),double)"}) {
        check(function, "");
        check(function, "1/");  // tells 0 from -0
    }
    // Of 0 and -0 either may be taken.
    for (const char *function :
         {"relu(%)", "-relu(%)", "0*%", "tanh(%)*abs(z)", "%*abs(w)", "max(%,u)", "max(u,%)", "min(%,u)", "min(u,%)",
          "%>u", "u>%", "%<=u", "max(%,w)", "max(w,%)", "%<w", "cell_cast(%,int8)", "cell_cast(%,bfloat16)"}) {
        check(function, "");
    }
}

}  // namespace
}  // namespace tenrex::optimizer::monotone_last_test
