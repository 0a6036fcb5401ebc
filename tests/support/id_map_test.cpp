#include "lib/support/id_map.h"

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(IdMap, FindsNothingWhenEmpty) {
    EXPECT_EQ(IdMap().find(0), std::nullopt);
    EXPECT_EQ(IdMap().size(), 0U);
}

TEST(IdMap, FindsWhatWasAddedAfterGrowing) {
    IdMap map;
    constexpr std::uint32_t count = 10'000;
    for (std::uint32_t i = 0; i < count; ++i) {
        map.add(i * 4096, i);  // equal in their last bits
    }
    EXPECT_EQ(map.size(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(map.find(i * 4096), i);
        ASSERT_EQ(map.find(i * 4096 + 1), std::nullopt);
    }
}

TEST(IdMap, FindsWhatWasAddedBeforeAndAfterThereWasRoom) {
    IdMap map;
    map.add(1, 10);
    map.reserve(1000);
    map.reserve(5);
    map.add(2, 20);
    EXPECT_EQ(map.find(1), 10U);
    EXPECT_EQ(map.find(2), 20U);
    EXPECT_EQ(map.size(), 2U);
}

TEST(IdMap, ChoosesAmongTheValuesOfAKey) {
    IdMap map;
    for (std::uint32_t value = 0; value < 100; ++value) {
        map.add(7, value);
    }
    EXPECT_EQ(map.find(7, [](std::uint32_t value) { return value == 64; }), 64U);
    EXPECT_EQ(map.find(7, [](std::uint32_t value) { return value == 100; }), std::nullopt);
}

}  // namespace
}  // namespace tenrex
