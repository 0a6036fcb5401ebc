// Products of matrices: which operand gives the rows, so that neither it nor the result is copied where the other way
// is cheaper.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

using random::Numbers;
using testing::HasSubstr;
using testing::Not;

constexpr Stage query = Stage::query, document = Stage::document;

// The sum of a*b over z. `product` is what the plan says of it.
void check(const std::vector<std::pair<Stage, std::string>> &dimensions, const std::string &product, bool copies,
           Numbers numbers = Numbers::smooth) {
    for (const auto &[a, b] : {std::pair("float", "float"), std::pair("double", "double"),
                               std::pair("int8", "bfloat16"), std::pair("bfloat16", "double")}) {
        SCOPED_TRACE(fmt::format("{} by {}, {} and {}", dimensions[0].second, dimensions[1].second, a, b));
        std::string plan;
        const std::vector<Values> inputs = {
            random_values("a", dimensions[0].first, fmt::format("tensor<{}>({})", a, dimensions[0].second), 5, numbers,
                          1),
            random_values("b", dimensions[1].first, fmt::format("tensor<{}>({})", b, dimensions[1].second), 5, numbers,
                          2)};
        EXPECT_EQ(wrong_value("sum(a*b,z)", inputs, -1, nullptr, &plan), "");
        EXPECT_THAT(plan, HasSubstr("product of matrices: " + product));
        EXPECT_EQ(plan.find("copy") != plan.npos, copies) << plan;
    }
}

TEST(Products, TheResultIsNotCopied) {
    check({{document, "i[32],z[32]"}, {document, "e[64],z[32]"}}, "64 rows of 32 by 32 columns", false);
    check({{document, "e[64],z[32]"}, {document, "i[32],z[32]"}}, "64 rows of 32 by 32 columns", false);
    check({{document, "g[3],y[5],z[6]"}, {document, "c[4],g[3],z[6]"}}, "3 times", true);
}

TEST(Products, TheRowsAreNotCopied) {
    check({{document, "w[64],z[32]"}, {document, "x[32],z[32]"}}, "64 rows of 32 by 32 columns", false);
    // The rows of the document would be copied, and so would the result.
    check({{document, "z[64],zz[32]"}, {query, "c[16],z[64]"}}, "16 rows of 64 by 32 columns", false);
}

TEST(Products, WhatTheQueryBringsIsPackedOnce) {
    check({{document, "y[32],z[64]"}, {query, "c[16],z[64]"}}, "32 rows of 64 by 16 columns", true);
    check({{document, "c[32],z[64]"}, {query, "y[16],z[64]"}}, "32 rows of 64 by 16 columns", false);
}

TEST(Products, OfOddSizes) {
    check({{document, "i[31],z[9]"}, {document, "e[32],z[9]"}}, "32 rows of 9 by 31 columns", false, Numbers::exact);
}

}  // namespace
}  // namespace tenrex::optimizer
