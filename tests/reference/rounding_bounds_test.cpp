// How far from the oracle a correct evaluation may be: worked out by hand.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/reference/evaluation.h"

namespace tenrex {
namespace {

constexpr double float_unit = 0x1p-24;
constexpr double double_unit = 0x1p-53;
const double anything = std::numeric_limits<double>::infinity();

BoundedTensor bounded(const std::string &text, const Literals &inputs = {}) {
    Schema schema;
    std::vector<NamedTensor> values;
    for (const auto &[name, literal] : inputs) {
        values.emplace_back(name, *from_literal(literal));
        schema.document(name, values.back().second.type());
    }
    const auto expression = Expression::parse(text, schema);
    EXPECT_TRUE(expression) << expression.error().render();
    auto value = expression->evaluate_reference_bounded(values);
    EXPECT_TRUE(value) << value.error().render();
    EXPECT_EQ(value->value, *expression->evaluate_reference(values)) << text;
    return *value;
}

// The bound of the first cell.
double bound(const std::string &text, const Literals &inputs = {}) {
    return bounded(text, inputs).bound.cell(0);
}

std::string row(const std::string &type, std::size_t count, const std::function<double(std::size_t)> &cell) {
    std::string text = "tensor<" + type + ">(x[" + std::to_string(count) + "]):[";
    for (std::size_t i = 0; i < count; ++i) {
        char number[40];
        std::snprintf(number, sizeof number, "%s%.17g", i == 0 ? "" : ",", cell(i));
        text += number;
    }
    return text + "]";
}

TEST(Bounds, AreOfTheDimensionsAndAddressesOfTheValue) {
    const BoundedTensor sum = bounded("sum(a*a,x)", {{"a", "tensor<float>(k{},x[2]):{b:[0.1,0.2],a:[1,2]}"}});
    EXPECT_EQ(sum.bound.type().to_string(), "tensor(k{})");
    EXPECT_EQ(sum.bound.label(0, 0), sum.value.label(0, 0));
    EXPECT_GT(sum.bound.cell(0), 0);
    EXPECT_LT(sum.bound.cell(0), 1e-6);
    EXPECT_TRUE(sum.addresses_known);
}

TEST(Bounds, OfWhatIsExactAreZero) {
    EXPECT_EQ(bound("sum(a*a)", {{"a", "tensor<int8>(x[4]):[127,-128,3,4]"}}), 0);
    EXPECT_EQ(bound("sum(a*a)", {{"a", "tensor<float>(x[3]):[1000,-0.5,3]"}}), 0);
    EXPECT_EQ(bound("a/3+sqrt(a)", {{"a", "0.1"}}), 0);
    EXPECT_EQ(bound("floor(a*3)==1", {{"a", "0.4"}}), 0);
    EXPECT_EQ(bound("a*a+1", {{"a", "tensor<float>(x[1]):[0.1]"}}), 0);
    EXPECT_EQ(bound("reduce(a,max)-reduce(a,median)", {{"a", "tensor<float>(x[3]):[0.1,0.2,0.3]"}}), 0);
    EXPECT_EQ(bound("1/0"), 0);
    EXPECT_EQ(bound("sum(a)", {{"a", "tensor<float>(x[2]):[1,0]"}}), 0);
    EXPECT_EQ(bound("sum(a)/0", {{"a", "tensor<float>(x[2]):[1,1]"}}), 0);
    EXPECT_EQ(bound("count(a*a)", {{"a", "tensor<float>(x[2]):[0.1,0.3]"}}), 0);
}

// The function is computed in float, as the cells are stored, or in double and rounded.
TEST(Bounds, OfNumbersOfSubspaces) {
    EXPECT_GE(bound("map_subspaces(a,f(v)(sigmoid(v)))", {{"a", "tensor<float>(k{}):{a:-25}"}}), 0x1p-60);
    EXPECT_EQ(bound("map_subspaces(a,f(v)(v+1))", {{"a", "tensor<float>(k{}):{a:-25}"}}), 0);
}

// A sum that multiplies and adds at once never has the products.
TEST(Bounds, OfProductsBeyondTheLargestDouble) {
    const Literals factors = {{"a", "tensor(x[2]):[59,-55]"}, {"b", "tensor(x[2]):[-3e307,-3e307]"}};
    EXPECT_EQ(bound("sum(a*b)", factors), anything);
    EXPECT_EQ(bound("sum(a*b,x)", factors), anything);
    EXPECT_EQ(bound("sum(a*c)", {factors[0], {"c", "tensor(x[2]):[inf,1]"}}), 0);
}

// elu of a number near zero is zero of either sign, or that number.
TEST(Bounds, OfWhatMayBeNaN) {
    const Literals cells = {{"a", "tensor(x[2]):[-1e-40,0]"}, {"b", "tensor(x[2]):[0,0]"}};
    EXPECT_EQ(bound("sum(elu(a)/b)", cells), anything);
    EXPECT_EQ(bound("avg(elu(a)/b)", cells), anything);
}

// Products of int8 cells are exact, what is computed of them otherwise is not.
TEST(Bounds, OfWhatIsComputedOfInt8) {
    const Literals cells = {{"a", "tensor<int8>(x[2]):[1,1]"}, {"b", "tensor<int8>(x[2]):[79,62]"}};
    EXPECT_EQ(bound("sum(a*b)", cells), 0);
    EXPECT_EQ(bound("sum(cell_cast(a,float)*b)", cells), 0);
    EXPECT_GT(bound("sum(square(a/b))", cells), float_unit * 4e-4);
    EXPECT_GT(bound("sum(square(a-log10(b)))", cells), float_unit);
}

TEST(Bounds, OfSumsAreOfTheMagnitudes) {
    // Products of floats may be added in float, other sums are not.
    const Literals cancelling = {{"a", "tensor<float>(x[4]):[1000.1,-1000.2,1000.3,-1000.2]"}};
    EXPECT_GE(bound("sum(a*a*1)", cancelling), 4 * float_unit * 1e6);
    const double of_products =
        bound("sum(a*b)", {{"a", "tensor<float>(x[2]):[1000.1,-1000.1]"}, {"b", "tensor<float>(x[2]):[0.1,0.1]"}});
    EXPECT_GE(of_products, 2 * float_unit * 200);
    EXPECT_LE(of_products, 20 * float_unit * 200);
    EXPECT_LE(bound("sum(a)", cancelling), 40 * double_unit * 4000);
    EXPECT_LE(bound("sum(a*b)", {{"a", "tensor(x[2]):[1000.1,-1000.1]"}, {"b", "tensor(x[2]):[0.1,0.1]"}}),
              40 * double_unit * 200);
    // As many additions as there are one after the other.
    const auto tenths = [](std::size_t count) { return row("float", count, [](std::size_t) { return 0.1; }); };
    EXPECT_LE(bound("sum(a*a)", {{"a", tenths(1000)}}), 300 * float_unit * 10);
    EXPECT_GE(bound("sum(a*a)", {{"a", tenths(1000)}}), 200 * float_unit * 10);
}

TEST(Bounds, OfASoftmaxFindAWrongCell) {
    const std::string cells = row("float", 1000, [](std::size_t i) { return std::sin(static_cast<double>(i)); });
    const BoundedTensor softmax = bounded("softmax(a,x)", {{"a", cells}});
    for (std::size_t i = 0; i < 1000; ++i) {
        EXPECT_GT(softmax.bound.cell(i), 0);
        EXPECT_LT(softmax.bound.cell(i), 1e-4 * softmax.value.cell(i)) << i;
    }
}

TEST(Bounds, OfFunctionsAreUnitsInTheLastPlace) {
    EXPECT_GE(bound("exp(a)", {{"a", "1"}}), 0x1p-51);
    EXPECT_LE(bound("exp(a)", {{"a", "1"}}), 4 * 0x1p-51);
    EXPECT_GE(bound("exp(a)", {{"a", "tensor<float>(x[1]):[1]"}}), 0x1p-22);
    EXPECT_LE(bound("exp(a)", {{"a", "tensor<float>(x[1]):[1]"}}), 4 * 0x1p-22);
    // What an argument is off by goes on: the exponential grows as it does.
    const double argument = bound("sum(a*a)", {{"a", "tensor<float>(x[2]):[0.1,2.3]"}});
    const double power = bound("exp(sum(a*a))", {{"a", "tensor<float>(x[2]):[0.1,2.3]"}});
    EXPECT_GE(power, argument * std::exp(5.3));
    EXPECT_LE(power, 1.1 * argument * std::exp(5.3));
    // A scalar beside float cells may become a float.
    EXPECT_GE(bound("a*0.1", {{"a", "tensor<float>(x[1]):[0.3]"}}), 0x1p-30);
    EXPECT_EQ(bound("a*0.5", {{"a", "tensor<float>(x[1]):[0.3]"}}), 0);
    EXPECT_EQ(bound("a>0.1", {{"a", "tensor<float>(x[1]):[0.1]"}}), 0);
}

TEST(Bounds, OfFunctionsInDoubleThatMayBeComputedInFloat) {
    for (const char *text : {"map(a,f(p)(tanh(p)))", "cell_cast(tanh(cell_cast(a,double)),float)", "tanh(a)"}) {
        EXPECT_GE(bound(text, {{"a", "tensor<float>(x[1]):[-1.625]"}}), 0x1p-24) << text;
        EXPECT_LE(bound(text, {{"a", "tensor<float>(x[1]):[-1.625]"}}), 3 * 0x1p-24) << text;
    }
    EXPECT_LE(bound("tanh(cell_cast(a,double))", {{"a", "tensor<float>(x[1]):[-1.625]"}}), 0x1p-50);
}

TEST(Bounds, JumpWhereAnErrorReaches) {
    const Literals inputs = {{"a", "tensor<float>(x[3]):[0.1,0.2,0.7]"}, {"b", "tensor<float>(x[3]):[1,1,1]"}};
    EXPECT_EQ(bound("floor(sum(a*b))", inputs), 1);
    EXPECT_EQ(bound("floor(sum(a*b)+0.1)", inputs), 0);
    EXPECT_EQ(bound("sum(a*b)==1", inputs), 1);
    EXPECT_EQ(bound("sum(a*b)<1", inputs), 1);
    EXPECT_EQ(bound("sum(a*b)<1.1", inputs), 0);
    EXPECT_EQ(bound("if(sum(a*b)<1.1,2,3)", inputs), 0);
    EXPECT_GE(bound("if(sum(a*b)<1,2,3)", inputs), 1);
    EXPECT_LE(bound("if(sum(a*b)<1,2,3)", inputs), 1);
    EXPECT_LE(bound("if(sum(a*b)<1,1,sum(a*b))", inputs), 1e-5);
    EXPECT_EQ(bound("1/(sum(a*b)-1)", inputs), anything);
    EXPECT_LE(bound("cos(sum(a*b))", inputs), 1e-5);
    EXPECT_GE(bound("fmod(sum(a*b),1)", inputs), 1);
    EXPECT_LE(bound("fmod(sum(a*b),0.3)", inputs), 1e-5);
    EXPECT_EQ(bound("sum(a*b) in [1,2]", inputs), 1);
    EXPECT_EQ(bound("sum(a*b) in [2,3]", inputs), 0);
    EXPECT_EQ(bound("cell_cast(tensor(x[1])(sum(a*b)),int8)", inputs), 255);
    EXPECT_EQ(bound("log(sum(a*b)-1)", inputs), anything);
}

TEST(Bounds, OfDecisions) {
    // The first two cells may have either rank.
    const Literals inputs = {{"a", "tensor<float>(k{},x[2]):{a:[0.1,0.3],b:[0.3,0.1],c:[0.7,0.7],d:[1,2]}"}};
    const BoundedTensor ranks = bounded("cell_order(sum(a*a*0.3,x),max)", inputs);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(ranks.bound.cell(i), i < 2 ? 1 : 0);
    }
    EXPECT_TRUE(bounded("top(1,sum(a*a*0.3,x))", inputs).addresses_known);
    EXPECT_FALSE(bounded("top(3,sum(a*a*0.3,x))", inputs).addresses_known);
    EXPECT_EQ(bound("reduce(top(3,sum(a*a*0.3,x)),sum)", inputs), anything);
    EXPECT_EQ(bound("count(top(3,sum(a*a*0.3,x)))", inputs), anything);
    const Literals peeked = {{"a", "tensor<float>(x[2]):[0.1,0.9]"}, {"t", "tensor(x[3]):[5,6,7]"}};
    EXPECT_EQ(bound("t{x:(sum(a*tensor<float>(x[2]):[1,1]))}", peeked), anything);
    EXPECT_EQ(bound("t{x:(sum(a*tensor<float>(x[2]):[1,1])+0.5)}", peeked), 0);
}

TEST(Bounds, WhereFloatMayOverflow) {
    const Literals large = {{"a", "tensor<float>(x[2]):[3e38,3e38]"}, {"b", "tensor<float>(x[2]):[1,1]"}};
    EXPECT_EQ(bound("sum(a*b)", large), anything);
    EXPECT_LT(bound("sum(a)", large), 1e25);
    EXPECT_EQ(bound("reduce(a*b,max)", large), 0);
    EXPECT_EQ(bound("a*10", large), 0);  // an infinity
    EXPECT_EQ(bound("reduce(a,prod)", {{"a", "tensor(x[3]):[1e200,1e200,0]"}}), anything);
    // Products of three factors may be formed in another order.
    EXPECT_EQ(bound("sum(a*b*c)", {{"a", "tensor<float>(x[2]):[1e-30,1]"},
                                   {"b", "tensor<float>(x[2]):[1e30,1]"},
                                   {"c", "tensor<float>(x[2]):[1e30,1]"}}),
              anything);
}

TEST(Bounds, OfProductsInDoubleThatHoldProductsInFloat) {
    const Literals cells = {{"a", "tensor(y[1]):[1]"},
                            {"b", "tensor<float>(x[2],y[1]):[[0],[-0.0002683701]]"},
                            {"c", "tensor<bfloat16>(y[1]):[1.38]"}};
    EXPECT_GT(bound("sum(a*(b*c),x)", cells), float_unit * 3e-4);
    EXPECT_LT(bound("sum(a*(b*c),x)", cells), float_unit * 4e-4);
    EXPECT_LT(bound("sum(a*b,x)", cells), 1e-18);
}

TEST(Bounds, OfRegroupedSums) {
    const Literals inputs = {{"d", row("float", 3, [](std::size_t i) { return 0.1 + static_cast<double>(i); })},
                             {"w", "tensor<float>(x[3],y[2]):[[0.1,0.2],[0.3,0.4],[0.5,0.6]]"},
                             {"q", "tensor<float>(y[2]):[0.7,-0.9]"}};
    EXPECT_GE(bound("sum(sum(d*w,x)*q,y)", inputs), float_unit * 6);
    EXPECT_LE(bound("sum(sum(d*w,x)*q,y)", inputs), 100 * float_unit * 6);
    // 2^24 + 1 is no float, which does not matter if the sum of sums is one sum.
    const Literals large = {{"a", "tensor<float>(x[2],y[2]):[[16777216,0],[1,0.375]]"}};
    EXPECT_GE(bound("sum(sum(a,x),y)", large), 1);
    EXPECT_LE(bound("sum(sum(a,x),y)", large), 2);
    // The product of the two weights may come first and be 0, which an infinity beside it makes NaN, or an infinity.
    const Literals extreme = {{"a", "tensor(k{}):{a:0}"},
                              {"b", "tensor(k{}):{a:inf}"},
                              {"c", "tensor(k{}):{a:2}"},
                              {"v", "1e-310"},
                              {"w", "1e300"}};
    EXPECT_EQ(bound("sum((v*(a+b))*v)", extreme), anything);
    EXPECT_EQ(bound("sum((v*exp(a+b))*v)", extreme), anything);
    EXPECT_EQ(bound("sum((w*(a+c))*w)", extreme), anything);
    EXPECT_EQ(bound("sum((v*(b+1))*v)", extreme), anything);
    EXPECT_EQ(bound("sum(a+b)", extreme), 0);
    EXPECT_LE(bound("sum((v*(a+c))*v)", extreme), 1e-300);
}

TEST(Bounds, OfProductsAndMedians) {
    EXPECT_EQ(bound("reduce(a,prod)", {{"a", "tensor<float>(x[3]):[3,0.5,-7]"}}), 0);
    EXPECT_LE(bound("reduce(a,prod)", {{"a", "tensor(x[3]):[0.1,0.2,0.3]"}}), 20 * double_unit * 0.006);
    EXPECT_GT(bound("reduce(a,prod)", {{"a", "tensor(x[3]):[0.1,0.2,0.3]"}}), 0);
    const Literals rows = {{"a", "tensor<float>(k[3],x[2]):[[0.1,0.2],[0.3,0.4],[5.1,6.1]]"}};
    const double median = bound("reduce(sum(a*a,x),median)", rows);
    EXPECT_GT(median, 0);
    EXPECT_LE(median, 30 * float_unit * 0.25);
}

}  // namespace
}  // namespace tenrex
