#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::simplify_test {
namespace {

Schema schema() {
    Schema schema;
    schema.document("a", "tensor<float>(x[3])").document("b", "tensor<float>(x[3])").document("s", "tensor(k{})");
    return schema;
}

TEST(Simplify, SquaresAndCubes) {
    EXPECT_EQ(after("simplify", "a^2", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = apply square %0 : tensor<float>(x[3]) document
return %1
)");
    EXPECT_EQ(after("simplify", "pow(s,3)", schema()), R"(
%0 = input "s" : tensor(k{}) document
%1 = apply square %0 : tensor(k{}) document
%2 = apply * %1 %0 : tensor(k{}) document
return %2
)");
    // Within a lambda, too; what was computed in double stays so.
    EXPECT_EQ(after("simplify", "map(a,f(x)(x^2))", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = cast %0 : tensor(x[3]) document
%2 = apply square %1 : tensor(x[3]) document
%3 = cast %2 : tensor<float>(x[3]) document
return %3
)");
}

TEST(Simplify, PowerOfOne) {
    EXPECT_EQ(after("simplify", "pow(a,1)", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
return %0
)");
    // int8 cells would stay int8, but arithmetic makes them float.
    EXPECT_FALSE(changes("simplify", "i^1", Schema().document("i", "tensor<int8>(x[3])")));
}

TEST(Simplify, QuotientsByPowersOfTwo) {
    EXPECT_EQ(after("simplify", "a/4", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = constant 0.25 : double constant
%2 = apply * %0 %1 : tensor<float>(x[3]) document
return %2
)");
    EXPECT_TRUE(changes("simplify", "s/(-0.5)", schema()) || changes("simplify", "s/0.5", schema()));
}

TEST(Simplify, ComparisonsOfFloats) {
    EXPECT_EQ(after("simplify", "a>0.1", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = constant 0.09999999403953552 : double constant
%2 = apply > %0 %1 : tensor<float>(x[3]) document
return %2
)");
    EXPECT_EQ(after("simplify", "0.1>a", schema()), R"(
%0 = input "a" : tensor<float>(x[3]) document
%1 = constant 0.10000000149011612 : double constant
%2 = apply > %1 %0 : tensor<float>(x[3]) document
return %2
)");
    // Of floats that are read as doubles, too.
    EXPECT_TRUE(changes("simplify", "map(a,f(x)(x<0.1))", schema()));
    for (const char *text : {"a>0.5", "s>0.1", "a==0.1", "a>b", "a>0/0", "a<1/0", "map(s,f(x)(x>0.1))"}) {
        EXPECT_FALSE(changes("simplify", text, schema())) << text;
    }
}

// Beside the number, far from it and where there is none.
TEST(Simplify, ComparisonsOfFloatsKeepValues) {
    const float beside = 0.1F, infinity = std::numeric_limits<float>::infinity();
    const float largest = std::numeric_limits<float>::max();
    std::vector<Tensor> documents;
    for (const float value : {beside, std::nextafter(beside, 0.0F), std::nextafter(beside, 1.0F), -beside, 0.0F, 1e-40F,
                              largest, -largest, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
        TensorBuilder builder(*TensorType::parse("tensor<float>(x[3])"));
        builder.block({});
        for (const std::size_t cell : {0, 1, 2}) {
            builder.set(0, cell, value);
        }
        documents.push_back(std::move(builder).build());
    }
    const std::vector<Values> values = {{"a", Stage::document, std::move(documents)}};
    for (const std::string number :
         {"0.1", "-0.1", "1e-40", "1e-50", "-1e-50", "1e39", "-1e39", "3.4028235677973366e38"}) {
        for (const std::string comparison : {"<", "<=", ">", ">="}) {
            EXPECT_EQ(wrong_value("a" + comparison + number, values), "") << number;
            EXPECT_EQ(wrong_value(number + comparison + "a", values), "") << number;
            EXPECT_EQ(wrong_value("map(a,f(x)(if(x" + comparison + number + ",2,3)))", values), "") << number;
        }
    }
}

TEST(Simplify, AChoiceOfTwoProducts) {
    EXPECT_EQ(after("simplify", "map(s,f(x)(if(x>0,x*2,0.1*x)))", schema()), R"(
%0 = input "s" : tensor(k{}) document
%1 = constant 0 : double constant
%2 = apply > %0 %1 : tensor(k{}) document
%3 = constant 2 : double constant
%4 = constant 0.1 : double constant
%5 = select %2 %3 %4 : tensor(k{}) document
%6 = apply * %0 %5 : tensor(k{}) document
return %6
)");
    for (const char *text : {"map(s,f(x)(if(x>0,x*2,x)))", "map(s,f(x)(if(x>0,x*2,x+0.1)))",
                             "map(s,f(x)(if(x>0,x*2,exp(x)*3)))", "map(s,f(x)(if(x>0,x*x,x*3)))"}) {
        EXPECT_FALSE(changes("simplify", text, schema())) << text;
    }
}

TEST(Simplify, RootsAsPowers) {
    EXPECT_EQ(after("simplify", "s^0.5", schema()), R"(
%0 = input "s" : tensor(k{}) document
%1 = apply sqrt %0 : tensor(k{}) document
%2 = constant -inf : double constant
%3 = apply == %0 %2 : tensor(k{}) document
%4 = constant inf : double constant
%5 = constant 0 : double constant
%6 = apply + %1 %5 : tensor(k{}) document
%7 = select %3 %4 %6 : tensor(k{}) document
return %7
)");
}

TEST(Simplify, LeavesWhatIsNotExact) {
    // 2^-140 has no inverse among floats.
    for (const char *text : {"a/3", "a/0", "a/10", "4/a", "a/b", "a^b", "a^4", "a^1.5", "2^a", "a^0", "a^(0-2)",
                             "a/1e-42", "a*2", "a-2"}) {
        EXPECT_FALSE(changes("simplify", text, schema())) << text;
    }
}

TEST(Simplify, KeepsOddNumbers) {
    const Values odd{"a", Stage::document, literals({"tensor(x[6]):[nan,inf,-inf,-0.0,1e300,5e-324]"})};
    for (const char *text : {"a^2", "a^3", "a^0.5", "pow(a,1)", "a/4", "a/0.125", "1/(a/2)", "1/a^3",
                             "map(a,f(x)(1/if(x>0,x*(-2),x*0.1)))", "map(a,f(x)(1/if(x!=x,0*x,x*1e10)))"}) {
        EXPECT_EQ(wrong_value(text, {odd}), "") << text;
    }
    const Values floats{"a", Stage::document, literals({"tensor<float>(x[6]):[nan,inf,-inf,-0.0,3e38,1e-45]"})};
    for (const char *text : {"a^2", "a^3", "a^0.5", "a/4", "a/0.5", "1/(a/2)"}) {
        EXPECT_EQ(wrong_value(text, {floats}), "") << text;
    }
}

}  // namespace
}  // namespace tenrex::optimizer::simplify_test
