// Failures are made small whatever it is that fails: also for reasons that have nothing to do with the expression.
#include <cstdint>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/differential/case.h"
#include "tests/differential/wide_case.h"
#include "tests/reference/random_shrink.h"

namespace tenrex::differential {
namespace {

using random::Numbers;
using random::RandomExpression;

TEST(Shrinking, EndsWithAnExpressionThatFailsAsWell) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + seed_count(20); ++seed) {
        for (const std::uint64_t share : {1U, 2U, 5U}) {
            const RandomExpression whole = wide_expression(seed, Numbers::any);
            const std::string text = whole.text();
            const auto fails = [&](const RandomExpression &smaller) {
                return smaller.text() == text || (std::hash<std::string>()(smaller.reproducer()) ^ seed) % share == 0;
            };
            EXPECT_TRUE(fails(random::shrink(whole, fails))) << seed;
        }
    }
}

}  // namespace
}  // namespace tenrex::differential
