// Random expressions of any size in any arrangement. scripts/differential runs many more seeds than this program does
// by itself.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/differential/case.h"
#include "tests/differential/wide_case.h"
#include "tests/differential/wide_shrink.h"

namespace tenrex::differential {
namespace {

using random::Numbers;
using random::RandomExpression;

class WidePrograms : public testing::TestWithParam<Numbers> {};

TEST_P(WidePrograms, GiveWhatTheReferenceGives) {
    const Numbers numbers = GetParam();
    std::size_t failures = 0;
    std::size_t count_without_value = 0;
    std::string without_value;
    const std::uint64_t first = first_seed();
    const std::uint64_t count = seed_count(200);
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        const Arrangement arrangement = arrangement_of(seed);
        const RandomExpression random = wide_expression(seed, numbers);
        const std::string found = problem(random, arrangement, nullptr);
        if (is_wrong(found)) {
            ++failures;
            ADD_FAILURE() << report(smallest({random, arrangement}));
        } else if (!found.empty()) {
            without_value += found.substr(0, 120) + "\n";
            ++count_without_value;
        }
    }
    // What the oracle takes too long for, or cannot hold.
    EXPECT_LE(count_without_value, 1 + count / 100) << without_value;
}

INSTANTIATE_TEST_SUITE_P(All, WidePrograms, testing::Values(Numbers::exact), [](const auto &test) {
    return std::string(test.param == Numbers::any ? "any" : test.param == Numbers::exact ? "exact" : "smooth");
});

}  // namespace
}  // namespace tenrex::differential
