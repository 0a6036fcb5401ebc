#include "optimizer/ranges.h"

#include "tests/optimizer/graph_of.h"

namespace tenrex::optimizer::ranges_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of the result, after the contractions have been found.
Range range_of(const std::string &text) {
    Schema schema;
    schema.document("d", "tensor(x[4])").document("f", "tensor<float>(m{},x[4])").document("i", "tensor<int8>(x[4])");
    schema.query("q", "tensor(x[4])").query("u", "double");
    const ir::Graph graph = optimized(text, schema, "contract", true);
    return Ranges(graph).of(graph.outputs()[0].node);
}

void expect_range(const std::string &text, double low, double high, bool may_be_nan) {
    const Range range = range_of(text);
    EXPECT_EQ(range.low, low) << text;
    EXPECT_EQ(std::signbit(range.low), std::signbit(low)) << text;
    EXPECT_EQ(range.high, high) << text;
    EXPECT_EQ(range.may_be_nan, may_be_nan) << text;
}

TEST(Ranges, OfInputsAndConstants) {
    expect_range("d", -infinity, infinity, true);
    expect_range("i", -128, 127, false);
    expect_range("2.5", 2.5, 2.5, false);
    expect_range("tensor(x[3]):[1,-2,3]", -2, 3, false);
    expect_range("tensor(x[3]):[0,-0.0,0]", -0.0, 0, false);
}

TEST(Ranges, OfFunctions) {
    expect_range("i+1", -127, 128, false);
    expect_range("2-i", -125, 130, false);
    expect_range("-i*i", -16384, 16256, false);
    expect_range("map(i,f(x)(x*x))", 0, 16384, false);
    expect_range("i^2/4", 0, 4096, false);
    expect_range("abs(d)", 0, infinity, true);
    expect_range("sqrt(d)", -0.0, infinity, true);
    expect_range("sqrt(1+abs(i))", 1, std::sqrt(129.0F), false);
    expect_range("exp(i)", 0, infinity, false);
    expect_range("relu(i)", -0.0, 127, false);
    expect_range("max(i,-3)", -3, 127, false);
    expect_range("min(d,7)", -infinity, infinity, true);
    expect_range("if(u>0,1+i,2+i)", -127, 129, false);
    expect_range("1/(1+exp(i))", 0, 1, false);
    expect_range("1/exp(i)", 0, infinity, false);
    expect_range("1/i", -infinity, infinity, false);
    expect_range("d-d", -infinity, infinity, true);
    expect_range("0*abs(d)", 0, 0, true);
    expect_range("d>u", 0, 1, false);
}

TEST(Ranges, OfAggregates) {
    expect_range("max(i,x)", -128, 127, false);
    expect_range("reduce(1+abs(f),min)", 0, infinity, true);  // of no block: 0
    expect_range("reduce(1+abs(f),min,x)", 1, infinity, true);
    expect_range("sum(abs(f))", 0, infinity, true);
    expect_range("sum((d-q)^2)", 0, infinity, true);
    expect_range("sqrt(sum(abs(d-q)))", 0, infinity, true);
    expect_range("sum(d*d)", 0, infinity, true);
    EXPECT_FALSE(range_of("sum(hamming(i,i+1))").may_be_infinite());
    EXPECT_FALSE(range_of("sum(tanh(d)*i)").may_be_infinite());
    EXPECT_TRUE(range_of("sum(d*q)").may_be_infinite());
}

TEST(Ranges, OfCellTypes) {
    expect_range("cell_cast(exp(d),float)", 0, infinity, true);
    expect_range("cell_cast(i*i+0.1,float)", 0.1F, 16384.1F, false);
    expect_range("cell_cast(abs(d),int8)", -128, 127, false);
}

}  // namespace
}  // namespace tenrex::optimizer::ranges_test
