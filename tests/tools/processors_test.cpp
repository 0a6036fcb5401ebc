#include "tools/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace tenrex::tool {
namespace {

TEST(Processors, AreThoseThatTheProcessMayRunOn) {
    EXPECT_GE(usable_processors(), 1U);
    cpu_set_t all;
    ASSERT_EQ(::sched_getaffinity(0, sizeof(all), &all), 0);
    EXPECT_LE(usable_processors(), static_cast<std::size_t>(CPU_COUNT(&all)));
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(usable_processors(), 1U);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(all), &all), 0);
}

TEST(Processors, AreNoMoreThanAQuotaIsWorth) {
    EXPECT_EQ(quota_of("200000 100000"), 2U);
    EXPECT_EQ(quota_of("150000 100000"), 2U);
    EXPECT_EQ(quota_of("1000 100000"), 1U);
    EXPECT_EQ(quota_of("0 100000"), 1U);
    for (const char *const text : {"max 100000", "", "100000", "100000 ", "100000 0", "a b", "-1 100000"}) {
        EXPECT_EQ(quota_of(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace tenrex::tool
