// How much results change within the errors of arguments, for every function: by no more than the bound says.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

}  // namespace
}  // namespace tenrex::reference
