// Every row of functions.def against values from a calculation with 40 digits, or written down by hand.
#include "lib/support/scalar_functions.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

struct Case {
    double a, b, expected;  // b does not matter if the function has one argument
};
struct Row {
    ScalarFunction function;
    std::vector<Case> cases;
};

const std::vector<Row> &rows() {
    static const std::vector<Row> all = {
        {ScalarFunction::negate, {{1.5, 0, -1.5}, {-2, 0, 2}, {0, 0, -0.0}, {inf, 0, -inf}, {nan, 0, nan}}},
        {ScalarFunction::logical_not, {{0, 0, 1}, {-0.0, 0, 1}, {1, 0, 0}, {-0.5, 0, 0}, {inf, 0, 0}, {nan, 0, 0}}},
        {ScalarFunction::power,
         {{2, 10, 1024},
          {2, -1, 0.5},
          {-2, 3, -8},
          {-8, 0.3333333333333333, nan},
          {0, 0, 1},
          {nan, 0, 1},
          {1, nan, 1},
          {nan, 1, nan},
          {0, -1, inf},
          {inf, -1, 0},
          {-inf, 3, -inf}}},
        {ScalarFunction::multiply, {{1.5, -4, -6}, {0, inf, nan}, {inf, -2, -inf}, {nan, 0, nan}, {0, -7, -0.0}}},
        {ScalarFunction::divide,
         {{7, 2, 3.5},
          {-7, 2, -3.5},
          {1, 0, inf},
          {-1, 0, -inf},
          {0, 0, nan},
          {inf, inf, nan},
          {5, inf, 0},
          {nan, 1, nan}}},
        {ScalarFunction::modulo,
         {{7, 3, 1}, {-7, 3, -1}, {7, -3, 1}, {5.5, 2, 1.5}, {1, 0, nan}, {inf, 2, nan}, {3, inf, 3}, {nan, 2, nan}}},
        {ScalarFunction::add, {{0, 5, 5}, {1.5, 2, 3.5}, {-1, 1, 0}, {inf, -inf, nan}, {inf, 1, inf}, {nan, 1, nan}}},
        {ScalarFunction::subtract, {{1.5, 2, -0.5}, {0, -3, 3}, {inf, inf, nan}, {1, inf, -inf}, {nan, nan, nan}}},
        {ScalarFunction::equal,
         {{1, 1, 1}, {1, 2, 0}, {0, -0.0, 1}, {inf, inf, 1}, {inf, -inf, 0}, {nan, nan, 0}, {-3, -3, 1}}},
        {ScalarFunction::not_equal,
         {{1, 1, 0}, {1, 2, 1}, {0, -0.0, 0}, {inf, -inf, 1}, {nan, nan, 1}, {nan, 1, 1}, {-3, -3, 0}}},
        {ScalarFunction::approx_equal,
         {{1, 1, 1},
          {1.0000001, 1, 0},
          {1.00000005, 1, 1},
          {1, 1.0000001, 1},
          {1.00001, 1, 0},
          {-2, -2.0000001, 1},
          {2, -2, 0},
          {0, 1e-46, 1},
          {0, 1e-44, 0},
          {0, 2e-45, 1},
          {0, 0, 1},
          {-0.0, 0, 1},
          {10000000000, 10000000001, 1},
          {10000000000, 10001000000, 0},
          {inf, inf, 1},
          {inf, -inf, 0},
          {nan, nan, 0},
          {nan, 1, 0},
          {0.5, 0.50000001, 1}}},
        {ScalarFunction::less,
         {{1, 2, 1}, {2, 1, 0}, {1, 1, 0}, {-inf, inf, 1}, {nan, 1, 0}, {1, nan, 0}, {-0.0, 0, 0}}},
        {ScalarFunction::less_equal, {{1, 2, 1}, {2, 1, 0}, {1, 1, 1}, {-inf, -inf, 1}, {nan, nan, 0}, {0, -0.0, 1}}},
        {ScalarFunction::greater, {{1, 2, 0}, {2, 1, 1}, {1, 1, 0}, {inf, -1, 1}, {nan, 1, 0}, {0, -0.0, 0}}},
        {ScalarFunction::greater_equal, {{1, 2, 0}, {2, 1, 1}, {1, 1, 1}, {inf, inf, 1}, {nan, nan, 0}, {-1, 0, 0}}},
        {ScalarFunction::logical_and,
         {{1, 2, 1}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {nan, 1, 1}, {nan, 0, 0}, {-1, inf, 1}}},
        {ScalarFunction::logical_or, {{1, 2, 1}, {0, 1, 1}, {1, 0, 1}, {0, -0.0, 0}, {nan, 0, 1}, {0, -inf, 1}}},
        {ScalarFunction::abs, {{-1.5, 0, 1.5}, {2, 0, 2}, {0, 0, 0}, {-inf, 0, inf}, {nan, 0, nan}}},
        {ScalarFunction::acos,
         {{0.5, 0, 1.0471975511965979},
          {-1, 0, 3.141592653589793},
          {0, 0, 1.5707963267948966},
          {1, 0, 0},
          {1.5, 0, nan},
          {-inf, 0, nan},
          {nan, 0, nan}}},
        {ScalarFunction::asin,
         {{0.5, 0, 0.5235987755982989},
          {-1, 0, -1.5707963267948966},
          {0, 0, 0},
          {1, 0, 1.5707963267948966},
          {-1.5, 0, nan},
          {inf, 0, nan},
          {nan, 0, nan}}},
        {ScalarFunction::atan,
         {{0.5, 0, 0.4636476090008061},
          {-3, 0, -1.2490457723982544},
          {0, 0, 0},
          {inf, 0, 1.5707963267948966},
          {-inf, 0, -1.5707963267948966},
          {nan, 0, nan}}},
        {ScalarFunction::atan2,
         {{1, 2, 0.4636476090008061},
          {2, 1, 1.1071487177940904},
          {-1, -2, -2.677945044588987},
          {0, -1, 3.141592653589793},
          {0, 1, 0},
          {1, 0, 1.5707963267948966},
          {-1, 0, -1.5707963267948966},
          {inf, 1, 1.5707963267948966},
          {1, inf, 0},
          {nan, 1, nan},
          {1, nan, nan}}},
        {ScalarFunction::bit,
         {{5, 0, 1},    {5, 1, 0},   {5, 2, 1},    {-1, 7, 1},  {-128, 7, 1},   {-128, 0, 0}, {127, 7, 0},  {3, 8, 0},
          {3, -1, 0},   {3, 1.9, 1}, {3, -0.5, 1}, {3, nan, 0}, {nan, 0, 0},    {3, inf, 0},  {3, -inf, 0}, {inf, 0, 1},
          {-inf, 0, 0}, {257, 0, 1}, {256, 0, 0},  {5.9, 1, 0}, {3, 1e+300, 0}, {0, 0, 0}}},
        {ScalarFunction::ceil,
         {{1.2, 0, 2}, {-1.2, 0, -1}, {3, 0, 3}, {0, 0, 0}, {inf, 0, inf}, {-inf, 0, -inf}, {nan, 0, nan}}},
        {ScalarFunction::cos,
         {{0, 0, 1},
          {1, 0, 0.5403023058681398},
          {-2, 0, -0.4161468365471424},
          {100, 0, 0.8623188722876839},
          {inf, 0, nan},
          {nan, 0, nan}}},
        {ScalarFunction::cosh,
         {{0, 0, 1},
          {1, 0, 1.5430806348152437},
          {-2, 0, 3.7621956910836314},
          {inf, 0, inf},
          {-inf, 0, inf},
          {1000, 0, inf},
          {nan, 0, nan}}},
        {ScalarFunction::elu,
         {{-1, 0, -0.6321205588285577},
          {-0.5, 0, -0.3934693402873666},
          {-20, 0, -0.9999999979388464},
          {0, 0, 0},
          {2.5, 0, 2.5},
          {inf, 0, inf},
          {-inf, 0, -1},
          {nan, 0, nan}}},
        {ScalarFunction::erf,
         {{0.5, 0, 0.5204998778130465},
          {-1, 0, -0.8427007929497149},
          {2, 0, 0.9953222650189527},
          {0, 0, 0},
          {inf, 0, 1},
          {-inf, 0, -1},
          {nan, 0, nan}}},
        {ScalarFunction::exp,
         {{1, 0, 2.718281828459045},
          {-1, 0, 0.36787944117144233},
          {0.5, 0, 1.6487212707001282},
          {0, 0, 1},
          {inf, 0, inf},
          {-inf, 0, 0},
          {1000, 0, inf},
          {-1000, 0, 0},
          {nan, 0, nan}}},
        {ScalarFunction::fabs, {{-1.5, 0, 1.5}, {2, 0, 2}, {0, 0, 0}, {-inf, 0, inf}, {nan, 0, nan}}},
        {ScalarFunction::floor,
         {{1.8, 0, 1}, {-1.2, 0, -2}, {3, 0, 3}, {0, 0, 0}, {inf, 0, inf}, {-inf, 0, -inf}, {nan, 0, nan}}},
        {ScalarFunction::fmod,
         {{7, 3, 1}, {-7, 3, -1}, {7, -3, 1}, {5.5, 2, 1.5}, {1, 0, nan}, {-inf, 2, nan}, {3, inf, 3}, {nan, 2, nan}}},
        {ScalarFunction::hamming,
         {{0, 0, 0},
          {0, -1, 8},
          {5, 6, 2},
          {-128, 127, 8},
          {1.9, 1, 0},
          {257, 1, 0},
          {-1, 255, 0},
          {nan, 0, 0},
          {inf, 0, 8},
          {-inf, 0, 0},
          {0, inf, 8}}},
        {ScalarFunction::is_nan, {{nan, 0, 1}, {0, 0, 0}, {-1, 0, 0}, {inf, 0, 0}, {-inf, 0, 0}}},
        {ScalarFunction::ldexp,
         {{0.75, -2, 0.1875},
          {1, 2.9, 4},
          {1, -2.9, 0.25},
          {3, 0, 3},
          {-1, 3, -8},
          {1, 1e+300, inf},
          {1, -1e+300, 0},
          {-1, 1e+300, -inf},
          {0, 1e+300, 0},
          {1, inf, inf},
          {1, -inf, 0},
          {inf, -5, inf},
          {nan, 1, nan},
          {1, nan, nan},
          {5e-324, 1074, 1},
          {5e-324, 2097, 8.98846567431158e+307},
          {1, -1074, 5e-324}}},
        {ScalarFunction::log,
         {{2, 0, 0.6931471805599453},
          {10, 0, 2.302585092994046},
          {0.5, 0, -0.6931471805599453},
          {1, 0, 0},
          {0, 0, -inf},
          {-1, 0, nan},
          {inf, 0, inf},
          {nan, 0, nan}}},
        {ScalarFunction::log10,
         {{2, 0, 0.3010299956639812},
          {0.5, 0, -0.3010299956639812},
          {1000, 0, 3},
          {1, 0, 0},
          {0, 0, -inf},
          {-1, 0, nan},
          {inf, 0, inf},
          {nan, 0, nan}}},
        {ScalarFunction::max,
         {{1, 2, 2}, {2, 1, 2}, {-1, -2, -1}, {0, 0, 0}, {inf, 1, inf}, {-inf, 1, 1}, {nan, 1, nan}, {1, nan, 1}}},
        {ScalarFunction::min,
         {{1, 2, 1}, {2, 1, 1}, {-1, -2, -2}, {0, 0, 0}, {inf, 1, 1}, {-inf, 1, -inf}, {nan, 1, nan}, {1, nan, 1}}},
        {ScalarFunction::pow,
         {{2, 10, 1024},
          {2, -1, 0.5},
          {-2, 3, -8},
          {-8, 0.3333333333333333, nan},
          {0, 0, 1},
          {nan, 0, 1},
          {1, nan, 1},
          {nan, 1, nan},
          {0, -1, inf},
          {-inf, 3, -inf},
          {2, 0.5, 1.4142135623730951}}},
        {ScalarFunction::relu, {{1.5, 0, 1.5}, {-1.5, 0, 0}, {0, 0, 0}, {inf, 0, inf}, {-inf, 0, 0}, {nan, 0, nan}}},
        {ScalarFunction::round,
         {{1.4, 0, 1},
          {1.5, 0, 2},
          {2.5, 0, 3},
          {-1.5, 0, -1},
          {-1.6, 0, -2},
          {-0.5, 0, 0},
          {0.49999999999999994, 0, 0},
          {-0.49999999999999994, 0, 0},
          {4503599627370497.0, 0, 4503599627370497.0},
          {-4503599627370497.0, 0, -4503599627370497.0},
          {0, 0, 0},
          {inf, 0, inf},
          {-inf, 0, -inf},
          {nan, 0, nan}}},
        {ScalarFunction::sigmoid,
         {{1, 0, 0.7310585786300049},
          {-2, 0, 0.11920292202211756},
          {0, 0, 0.5},
          {inf, 0, 1},
          {-inf, 0, 0},
          {-1000, 0, 0},
          {1000, 0, 1},
          {nan, 0, nan}}},
        {ScalarFunction::sign,
         {{3, 0, 1}, {0, 0, 1}, {-0.0, 0, 1}, {-0.1, 0, -1}, {inf, 0, 1}, {-inf, 0, -1}, {nan, 0, -1}}},
        {ScalarFunction::sin,
         {{1, 0, 0.8414709848078965},
          {-2, 0, -0.9092974268256817},
          {100, 0, -0.5063656411097588},
          {0, 0, 0},
          {inf, 0, nan},
          {nan, 0, nan}}},
        {ScalarFunction::sinh,
         {{1, 0, 1.1752011936438014},
          {-2, 0, -3.6268604078470186},
          {0, 0, 0},
          {inf, 0, inf},
          {-inf, 0, -inf},
          {1000, 0, inf},
          {nan, 0, nan}}},
        {ScalarFunction::sqrt,
         {{2, 0, 1.4142135623730951},
          {0.25, 0, 0.5},
          {9, 0, 3},
          {0, 0, 0},
          {-1, 0, nan},
          {inf, 0, inf},
          {-inf, 0, nan},
          {nan, 0, nan}}},
        {ScalarFunction::square,
         {{1.5, 0, 2.25}, {-3, 0, 9}, {0, 0, 0}, {-inf, 0, inf}, {1e+200, 0, inf}, {nan, 0, nan}}},
        {ScalarFunction::tan,
         {{1, 0, 1.5574077246549023}, {-0.5, 0, -0.5463024898437905}, {0, 0, 0}, {inf, 0, nan}, {nan, 0, nan}}},
        {ScalarFunction::tanh,
         {{1, 0, 0.7615941559557649},
          {-0.5, 0, -0.46211715726000974},
          {0, 0, 0},
          {inf, 0, 1},
          {-inf, 0, -1},
          {nan, 0, nan}}},
    };
    return all;
}

void PrintTo(const Case &c, std::ostream *out) {
    *out << c.a << ", " << c.b;
}

void expect_close(double actual, double expected) {
    if (std::isnan(expected) || std::isinf(expected) || expected == 0.0) {
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(actual) : actual == expected)
            << actual << ", expected " << expected;
        EXPECT_TRUE(!(expected == 0.0 && std::signbit(expected)) || std::signbit(actual)) << "expected -0";
    } else {
        EXPECT_NEAR(actual, expected, 4e-16 * std::fabs(expected));
    }
}

TEST(ScalarFunctions, GiveTheseValues) {
    for (const Row &row : rows()) {
        for (const Case &c : row.cases) {
            SCOPED_TRACE(std::string(info(row.function).name) + " of " + testing::PrintToString(c));
            expect_close(apply(row.function, c.a, c.b), c.expected);
        }
    }
}

TEST(ScalarFunctions, EachRowIsTestedWithZeroNegativeNanAndInfinity) {
    std::set<ScalarFunction> seen;
    for (const Row &row : rows()) {
        EXPECT_TRUE(seen.insert(row.function).second) << info(row.function).name << " is there twice";
        bool zero = false, negative = false, not_a_number = false, infinite = false;
        for (const Case &c : row.cases) {
            for (const double x : {c.a, info(row.function).arity == 2 ? c.b : c.a}) {
                zero = zero || x == 0.0;
                negative = negative || x < 0.0;
                not_a_number = not_a_number || std::isnan(x);
                infinite = infinite || std::isinf(x);
            }
        }
        EXPECT_TRUE(zero && negative && not_a_number && infinite) << info(row.function).name;
    }
    EXPECT_EQ(seen.size(), std::size(scalar_function_table));
}

TEST(ScalarFunctions, OneArgumentFunctionsDoNotReadTheSecond) {
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        if (entry.arity == 1) {
            EXPECT_EQ(apply(entry.id, 0.25, nan), apply(entry.id, 0.25, 7.0)) << entry.name;
        }
    }
}

TEST(ScalarFunctions, PlainArithmeticTakesOtherTypes) {
    EXPECT_EQ(functor::add{}(2, 3), 5);
    EXPECT_EQ(functor::subtract{}(2.5f, 3.0f), -0.5f);
    EXPECT_EQ(functor::square{}(3), 9);
    EXPECT_EQ(functor::max{}(2.0f, 3.0f), 3.0f);
}

TEST(ScalarFunctions, AreDefinedForAnyArguments) {
    const double arguments[] = {0.0,    -0.0,  1.0,    -1.0,   0.5,          7.0,           8.0,
                                -128.0, 1e300, -1e300, 5e-324, 2147483648.0, -2147483649.0, 9223372036854775808.0,
                                inf,    -inf,  nan};
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        for (const double a : arguments) {
            for (const double b : arguments) {
                const double once = apply(entry.id, a, b);
                const double again = apply(entry.id, a, b);
                EXPECT_TRUE(once == again || (std::isnan(once) && std::isnan(again))) << entry.name;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex
