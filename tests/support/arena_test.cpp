#include "lib/support/arena.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

TEST(Arena, GivesAlignedMemoryThatKeepsItsContent) {
    struct alignas(16) Wide {
        std::uint64_t value;
    };
    Arena arena;
    std::vector<std::pair<char *, Wide *>> made;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        char *small = arena.make<char>(static_cast<char>('a' + i % 26));
        Wide *wide = arena.make<Wide>(i);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(wide) % alignof(Wide), 0u);
        made.emplace_back(small, wide);
    }
    for (std::uint64_t i = 0; i < made.size(); ++i) {
        EXPECT_EQ(*made[i].first, static_cast<char>('a' + i % 26));
        EXPECT_EQ(made[i].second->value, i);
    }
}

TEST(Arena, CopiesBlocksLargerThanAChunk) {
    const std::string large(5'000'000, 'x');
    Arena arena;
    const std::string_view before = arena.copy("before");
    const std::string_view copy = arena.copy(large);
    const std::string_view after = arena.copy("after");
    EXPECT_EQ(copy, large);
    EXPECT_NE(copy.data(), large.data());
    EXPECT_EQ(before, "before");
    EXPECT_EQ(after, "after");
    EXPECT_GE(arena.bytes(), large.size());
}

TEST(Arena, CopyOfNothingIsEmpty) {
    Arena arena;
    EXPECT_TRUE(arena.copy(std::vector<int>{}).empty());
    EXPECT_EQ(arena.bytes(), 0u);
}

TEST(Arena, NodesStayWhereTheyAreWhenTheArenaMoves) {
    Arena arena;
    const int *node = arena.make<int>(42);
    const Arena moved = std::move(arena);
    EXPECT_EQ(*node, 42);
    EXPECT_GT(moved.bytes(), 0u);
}

}  // namespace
}  // namespace tenrex
