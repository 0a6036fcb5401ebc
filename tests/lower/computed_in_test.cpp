// The cell type that operations compute in.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "lib/program/dense/float_parts.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

// Whether float cells v beside a scalar s are widened or take it in two parts.
bool widens(const std::string &text, Stage stage) {
    const std::vector<Values> inputs = {
        random_values("v", Stage::document, "tensor<float>(x[20])", 5, random::Numbers::smooth, 1),
        random_values("s", stage, "double", 5, random::Numbers::smooth, 2)};
    std::string plan;
    EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, nullptr, &plan), "") << text;
    for (const char *sign : {"convert float to double", "add, add", "subtract, add"}) {
        if (plan.find(sign) != plan.npos) {
            return true;
        }
    }
    return false;
}

TEST(ComputedIn, DoubleWhereRoundingAnOperandShows) {
    for (const Stage stage : {Stage::query, Stage::document}) {
        for (const char *text : {"v+s", "v-s", "s-v", "v==s", "v<s", "v%s", "v^s", "v-sum(v)", "v-0.1"}) {
            EXPECT_TRUE(widens(text, stage)) << text;
        }
    }
}

TEST(ComputedIn, FloatWhereThatIsAsGood) {
    for (const Stage stage : {Stage::query, Stage::document}) {
        for (const char *text : {"v*s", "v/s", "max(v,s)", "v+0.5", "v==0.25"}) {
            EXPECT_FALSE(widens(text, stage)) << text;
        }
    }
    // Scalars that are cells of floats.
    for (const char *text : {"v-reduce(v,max)", "v==reduce(v,min)", "v+v{x:3}", "argmax(v)"}) {
        EXPECT_FALSE(widens(text, Stage::document)) << text;
    }
}

TEST(ComputedIn, ADoubleIsTwoFloatsOrTheNearestIsAllOfIt) {
    for (const double number : {0.1, -0.1, 1e-9, 123456.789, 1e30, -3e-30}) {
        const double sum = static_cast<double>(static_cast<float>(number)) + program::rest_of(number);
        EXPECT_EQ(sum, number);
        EXPECT_EQ(program::rest_of(-number), -program::rest_of(number));
    }
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double number : {0.0, -0.0, 0.5, -3.0, 1e300, infinity, -infinity, std::nan("")}) {
        EXPECT_EQ(program::rest_of(number), 0) << number;
        EXPECT_TRUE(std::signbit(program::rest_of(number))) << number;
    }
}

TEST(ComputedIn, CellsThatAreWidenedStayInTheCache) {
    const std::vector<Values> inputs = {
        random_values("v", Stage::document, "tensor<float>(x[20])", 5, random::Numbers::smooth, 1),
        random_values("s", Stage::query, "double", 1, random::Numbers::smooth, 2)};
    std::string plan;
    EXPECT_EQ(wrong_value("v^s", inputs, Agreement::within_bounds, nullptr, &plan), "");
    EXPECT_NE(plan.find("convert float to double, power, convert double to float"), plan.npos) << plan;
}

}  // namespace
}  // namespace tenrex::optimizer
