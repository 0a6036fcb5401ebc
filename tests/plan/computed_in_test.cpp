// The cell type that operations compute in.
#include <string>

#include <gtest/gtest.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

// Whether float cells v beside a scalar s are widened for it.
bool widens(const std::string &text, Stage stage) {
    const std::vector<Values> inputs = {
        random_values("v", Stage::document, "tensor<float>(x[20])", 5, random::Numbers::smooth, 1),
        random_values("s", stage, "double", 5, random::Numbers::smooth, 2)};
    std::string plan;
    EXPECT_EQ(wrong_value(text, inputs, -1, nullptr, &plan), "") << text;
    return plan.find("convert float to double") != plan.npos;
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

TEST(ComputedIn, CellsThatAreWidenedStayInTheCache) {
    const std::vector<Values> inputs = {
        random_values("v", Stage::document, "tensor<float>(x[20])", 5, random::Numbers::smooth, 1),
        random_values("s", Stage::query, "double", 1, random::Numbers::smooth, 2)};
    std::string plan;
    EXPECT_EQ(wrong_value("v-s", inputs, -1, nullptr, &plan), "");
    EXPECT_NE(plan.find("convert float to double, subtract, convert double to float"), plan.npos) << plan;
}

}  // namespace
}  // namespace tenrex::optimizer
