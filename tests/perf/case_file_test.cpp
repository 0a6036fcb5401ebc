#include "perf/expressions/case_file.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tenrex::perf {
namespace {

TEST(CaseFiles, AllAreRead) {
    const auto cases = read_cases(TENREX_CASES);
    ASSERT_TRUE(cases) << cases.error().message();
    EXPECT_GT(cases->size(), 150U);
    std::set<std::string> names;
    for (const Case &one : *cases) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name << " is there twice";
    }
}

}  // namespace
}  // namespace tenrex::perf
