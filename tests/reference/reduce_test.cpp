#include "tests/reference/evaluation.h"

#include <gtest/gtest.h>

#include "lib/syntax/tensor_function.h"

namespace tenrex {
namespace {

const Literals dense = {{"t", "tensor(x[2],y[3]):[[1,2,3],[4,5,7]]"}};
const Literals sparse = {{"t", "tensor(k{},m{}):{{k:a,m:u}:1,{k:a,m:v}:2,{k:b,m:u}:4}"}};
const Literals mixed = {{"t", "tensor(k{},x[2]):{a:[1,2],b:[3,6]}"}};
const Literals none = {{"t", "tensor(k{},x[2]):{}"}};

TEST(Reduce, AllDimensions) {
    EXPECT_TRUE(gives("reduce(t,sum)", dense, "22"));
    EXPECT_TRUE(gives("reduce(t,prod)", dense, "840"));
    EXPECT_TRUE(gives("reduce(t,count)", dense, "6"));
    EXPECT_TRUE(gives("reduce(t,avg)", sparse, "2.3333333333333335"));
    EXPECT_TRUE(gives("reduce(t,max)", dense, "7"));
    EXPECT_TRUE(gives("reduce(t,min)", dense, "1"));
    EXPECT_TRUE(gives("reduce(t,median)", dense, "3.5"));
    EXPECT_TRUE(gives("reduce(t,median)", sparse, "2"));
}

TEST(Reduce, SomeDimensions) {
    EXPECT_TRUE(gives("reduce(t,sum,x)", dense, "tensor(y[3]):[5,7,10]"));
    EXPECT_TRUE(gives("reduce(t,sum,y)", dense, "tensor(x[2]):[6,16]"));
    EXPECT_TRUE(gives("reduce(t,sum,y,x)", dense, "22"));
    EXPECT_TRUE(gives("reduce(t,count,x)", dense, "tensor(y[3]):[2,2,2]"));
    EXPECT_TRUE(gives("reduce(t,avg,x)", dense, "tensor(y[3]):[2.5,3.5,5]"));
    EXPECT_TRUE(gives("reduce(t,median,y)", dense, "tensor(x[2]):[2,5]"));
    EXPECT_TRUE(gives("reduce(t,sum,m)", sparse, "tensor(k{}):{a:3,b:4}"));
    EXPECT_TRUE(gives("reduce(t,max,k)", sparse, "tensor(m{}):{u:4,v:2}"));
    EXPECT_TRUE(gives("reduce(t,count,k)", sparse, "tensor(m{}):{u:2,v:1}"));
    EXPECT_TRUE(gives("reduce(t,sum,k)", mixed, "tensor(x[2]):[4,8]"));
    EXPECT_TRUE(gives("reduce(t,min,x)", mixed, "tensor(k{}):{a:1,b:3}"));
    EXPECT_TRUE(gives("reduce(t,prod,k,x)", mixed, "36"));
}

TEST(Reduce, ScalarIsOneCell) {
    for (const AggregatorInfo &aggregator : aggregator_table) {
        EXPECT_TRUE(
            gives("reduce(7," + std::string(aggregator.name) + ")", aggregator.id == Aggregator::count ? "1" : "7"));
    }
}

TEST(Reduce, SizeOneDimensionGoes) {
    for (const AggregatorInfo &aggregator : aggregator_table) {
        EXPECT_TRUE(gives("reduce(t," + std::string(aggregator.name) + ",z)", {{"t", "tensor(x[2],z[1]):[[3],[4]]"}},
                          aggregator.id == Aggregator::count ? "tensor(x[2]):[1,1]" : "tensor(x[2]):[3,4]"));
    }
}

TEST(Reduce, OfNoCellsIsZeroWhateverTheAggregator) {
    for (const AggregatorInfo &aggregator : aggregator_table) {
        const std::string reduce = "reduce(t," + std::string(aggregator.name);
        EXPECT_TRUE(gives(reduce + ")", none, "0"));
        EXPECT_TRUE(gives(reduce + ",k)", none, "tensor(x[2]):[0,0]"));
        EXPECT_TRUE(gives(reduce + ",x)", none, "tensor(k{}):{}"));
    }
}

// Of what is joined, mapped and reduced at once.
TEST(Reduce, OfFunctionsOfEitherOperand) {
    const Literals pair = {{"a", "tensor<int8>(c{}):{u:2,v:3}"}, {"b", "tensor(x[2]):[5,7]"}};
    const std::pair<const char *, const char *> sums[] = {
        {"p*q", "60"},        {"q*p", "60"},  {"p*p", "26"}, {"q*q", "148"},   {"square(p)", "26"},
        {"square(q)", "148"}, {"p-q", "-14"}, {"q-p", "14"}, {"p+p", "20"},    {"q+q", "48"},
        {"p", "10"},          {"q", "24"},    {"2*q", "48"}, {"abs(-q)", "24"}};
    for (const auto &[body, sum] : sums) {
        EXPECT_TRUE(gives(std::string("reduce(join(a,b,f(p,q)(") + body + ")),sum)", pair, sum));
        EXPECT_TRUE(gives(std::string("reduce(2*join(a,b,f(p,q)(") + body + ")),sum)/2", pair, sum));
    }
    EXPECT_TRUE(gives("reduce(join(a,b,f(p,q)(q*q)),max,x)", pair, "tensor(c{}):{u:49,v:49}"));
}

TEST(Reduce, KeepsTheBlocksThatThereAre) {
    EXPECT_TRUE(gives("reduce(t,sum,x)", {{"t", "tensor(k{},x[2]):{a:[0,0]}"}}, "tensor(k{}):{a:0}"));
}

TEST(Reduce, MaxAndMinIgnoreNan) {
    const Literals some = {{"t", "tensor(x[4]):[nan,2,nan,1]"}};
    EXPECT_TRUE(gives("reduce(t,max)", some, "2"));
    EXPECT_TRUE(gives("reduce(t,min)", some, "1"));
    EXPECT_TRUE(gives("reduce(t,sum)", some, "nan"));
    EXPECT_TRUE(gives("reduce(t,avg)", some, "nan"));
    EXPECT_TRUE(gives("reduce(t,prod)", some, "nan"));
    EXPECT_TRUE(gives("reduce(t,median)", some, "nan"));
    EXPECT_TRUE(gives("reduce(t,count)", some, "4"));
    EXPECT_TRUE(gives("reduce(t,max,x)", {{"t", "tensor(x[2],y[2]):[[nan,nan],[nan,1]]"}}, "tensor(y[2]):[nan,1]"));
    EXPECT_TRUE(gives("reduce(t,min)", {{"t", "tensor(x[2]):[nan,nan]"}}, "nan"));
    EXPECT_TRUE(gives("reduce(t,max)", {{"t", "tensor(x[2]):[-inf,-inf]"}}, "-inf"));
    EXPECT_TRUE(gives("reduce(t,min)", {{"t", "tensor(x[2]):[inf,inf]"}}, "inf"));
}

TEST(Reduce, CellTypes) {
    EXPECT_TRUE(
        gives("reduce(t,sum,x)", {{"t", "tensor<int8>(x[3],y[1]):[[100],[100],[100]]"}}, "tensor<float>(y[1]):[300]"));
    EXPECT_TRUE(
        gives("reduce(t,sum,x)", {{"t", "tensor<bfloat16>(x[2],y[1]):[[256],[1]]"}}, "tensor<float>(y[1]):[257]"));
    EXPECT_TRUE(gives("reduce(t,sum)", {{"t", "tensor<float>(x[2]):[16777216,1]"}}, "16777217"));
    EXPECT_TRUE(gives("reduce(t,sum,x)", {{"t", "tensor<float>(x[2],y[1]):[[16777216],[1]]"}},
                      "tensor<float>(y[1]):[16777216]"));
    EXPECT_TRUE(gives("reduce(t,avg,x)", {{"t", "tensor<int8>(x[2],y[1]):[[1],[2]]"}}, "tensor<float>(y[1]):[1.5]"));
}

TEST(Reduce, AccumulatesInDouble) {
    // In float every step would lose the 1.
    EXPECT_TRUE(
        gives("reduce(tensor<float>(x[1000],y[1])(if(x==0,16777216,1)),sum,x)", "tensor<float>(y[1]):[16778215]"));
}

TEST(Reduce, UnknownDimensionIsRejected) {
    EXPECT_TRUE(fails("reduce(t,sum,q)", dense, "'q'"));
    EXPECT_TRUE(fails("reduce(t,sum,q)", dense, "'q'", java));
    EXPECT_TRUE(fails("reduce(t,total)", dense, "total"));
    EXPECT_TRUE(fails("reduce(t,SUM)", dense, "SUM"));
    EXPECT_TRUE(fails("reduce(t,sum,)", dense, ""));
}

}  // namespace
}  // namespace tenrex
