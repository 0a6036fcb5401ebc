#include "lib/support/stable_list.h"

#include <memory>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(StableList, ItemsStayWhereTheyAre) {
    StableList<std::size_t> list;
    EXPECT_EQ(list.size(), 0U);
    std::vector<const std::size_t *> places;
    for (std::size_t i = 0; i < 1000; ++i) {
        places.push_back(&list.emplace_back(i));
        ASSERT_EQ(list.size(), i + 1);
    }
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(&list[i], places[i]);
        ASSERT_EQ(list[i], i);
    }
}

TEST(StableList, MovesWithItsItems) {
    StableList<std::unique_ptr<int>> list;
    const std::unique_ptr<int> &item = list.emplace_back(std::make_unique<int>(7));
    StableList<std::unique_ptr<int>> other = std::move(list);
    EXPECT_EQ(&other[0], &item);
    list = {};
    EXPECT_EQ(list.size(), 0U);
    EXPECT_EQ(*list.emplace_back(std::make_unique<int>(8)), 8);
    EXPECT_EQ(*other[0], 7);
}

}  // namespace
}  // namespace tenrex
