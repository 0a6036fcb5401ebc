// How much results change within the errors of arguments, for every function: by no more than the bound says.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lib/reference/rounding.h"
#include "lib/support/scalar_functions.h"

namespace tenrex::reference {
namespace {

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    // From where the function is used, now and then at an edge, with an error of any size.
    Number number(const ScalarFunctionInfo &function) {
        constexpr double edges[] = {-128, -3.5, -1, 0, 0.25, 1, 2, 7, 127};
        std::uniform_real_distribution<double> usual(function.from, function.to);
        const double value = one_in(4) ? edges[random_() % std::size(edges)] : usual(random_);
        const double error = one_in(3) ? 0.0 : std::exp2(std::uniform_real_distribution<double>(-20, 3)(random_));
        return {value, error};
    }
    double within(Number number) {
        return number.value + number.error * std::uniform_real_distribution<double>(-1, 1)(random_);
    }
    bool one_in(unsigned count) { return random_() % count == 0; }

private:
    std::mt19937_64 random_;
};

TEST(Change, IsWithinTheBoundOfEachFunction) {
    Draw draw(1);
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        for (int i = 0; i < 3000; ++i) {
            const Number a = draw.number(function);
            const Number b = draw.number(function);
            const CellFunction cells{function.id};
            const Number result = function.arity == 1 ? apply(cells, a) : apply(cells, a, b);
            for (int j = 0; j < 20; ++j) {
                const double x = draw.within(a);
                const double y = draw.within(b);
                const double slack = 4 * unit_in_last_place(CellType::f64, result.value);
                ASSERT_LE(distance(apply(function.id, x, y), result.value), result.error + slack)
                    << function.name << " of " << a.value << " +- " << a.error << " and " << b.value << " +- "
                    << b.error << ": " << x << " and " << y;
            }
        }
    }
}

// Nothing is within a bound that is NaN.
TEST(Change, IsANumberForAllArguments) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double values[] = {0.0,
                                 -0.0,
                                 5e-324,
                                 -8e-311,
                                 0.5,
                                 -1.0,
                                 3.0,
                                 1e33,
                                 -1e300,
                                 1.7e308,
                                 infinite,
                                 -infinite,
                                 std::numeric_limits<double>::quiet_NaN()};
    constexpr double errors[] = {0.0, 5e-324, 1e-17, 0.25, 1e20, 1e300, undetermined};
    std::vector<Number> numbers;
    for (const double value : values) {
        for (const double error : errors) {
            numbers.push_back({value, error});
        }
    }
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        const CellFunction cells{function.id};
        for (const Number a : numbers) {
            for (const Number b : numbers) {
                const Number result = function.arity == 1 ? apply(cells, a) : apply(cells, a, b);
                ASSERT_FALSE(std::isnan(result.error)) << function.name << " of " << a.value << " +- " << a.error
                                                       << " and " << b.value << " +- " << b.error;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::reference
