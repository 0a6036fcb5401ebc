// Arrays that grow count in a budget, and pieces of documents become as small as it asks for.
#include "lib/program/memory_budget.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "lib/program/growing.h"
#include "lib/program/piece_size.h"

namespace tenrex::program {
namespace {

TEST(MemoryBudget, CountsWhatIsTaken) {
    MemoryBudget budget;
    budget.allow(100);
    budget.take(60);
    EXPECT_TRUE(budget.allows(40));
    EXPECT_FALSE(budget.allows(41));
    EXPECT_THROW(budget.take(41), BeyondBudget);
    EXPECT_EQ(budget.taken(), 60u);
    budget.allow(50);  // less than there is
    EXPECT_FALSE(budget.allows(0));
    EXPECT_THROW(budget.take(1), BeyondBudget);
    budget.give_back(60);
    EXPECT_TRUE(budget.allows(50));
}

TEST(Growing, TakesWhatItNeedsAndThenMore) {
    Growing<std::uint64_t> array;
    array.room(1000);
    EXPECT_EQ(array.memory_bytes(), 8000u);
    array.room(1001);
    EXPECT_EQ(array.memory_bytes(), 12000u);
    array.room(1500);
    EXPECT_EQ(array.memory_bytes(), 12000u);
    array.release();
    EXPECT_EQ(array.memory_bytes(), 0u);
    EXPECT_EQ(array.data(), nullptr);
    EXPECT_NE(array.room(0), nullptr);
}

TEST(Growing, CountsInABudget) {
    MemoryBudget budget;
    budget.allow(20000);
    {
        Growing<std::uint64_t> array;
        array.count_in(budget);
        array.room(1000)[999] = 5;
        EXPECT_EQ(budget.taken(), 8000u);
        // Both are there while the first is copied; one and a half times as many do not fit.
        EXPECT_EQ(array.grow(1001, 1000)[999], 5u);
        EXPECT_EQ(budget.taken(), 12000u);
        EXPECT_THROW(array.grow(1600, 1500), BeyondBudget);
        EXPECT_EQ(array.data()[999], 5u);
        EXPECT_EQ(budget.taken(), 12000u);
        array.room(2500);  // instead of the others
        EXPECT_EQ(budget.taken(), 20000u);
        EXPECT_THROW(array.room(2501), BeyondBudget);
        EXPECT_EQ(budget.taken(), 0u);
        EXPECT_THROW(array.room(std::numeric_limits<std::size_t>::max()), BeyondBudget);
        array.room(100);
        Growing<std::uint64_t> moved(std::move(array));
        EXPECT_EQ(budget.taken(), 800u);
    }
    EXPECT_EQ(budget.taken(), 0u);
}

TEST(PieceSize, ShrinksToOneAndGrowsAgain) {
    constexpr std::size_t most = 1000;
    PieceSize size(64);
    EXPECT_EQ(size.documents(), 64u);
    EXPECT_FALSE(size.was_evaluated(most, most));
    EXPECT_TRUE(size.make_smaller(64));
    EXPECT_EQ(size.documents(), 32u);
    EXPECT_TRUE(size.make_smaller(3));  // the last ones of a block
    EXPECT_EQ(size.documents(), 1u);
    EXPECT_FALSE(size.make_smaller(1));
    EXPECT_EQ(size.documents(), 1u);
    // As long as twice as many would not fit, they stay few.
    std::size_t forgotten = 0;
    for (int i = 0; i < 3000; ++i) {
        forgotten += size.was_evaluated(most / 2 + 1, most) ? 1 : 0;
    }
    EXPECT_EQ(size.documents(), 1u);
    EXPECT_EQ(forgotten, 2u);
    for (int i = 0; i < 100; ++i) {
        size.was_evaluated(most / 2, most);
    }
    EXPECT_EQ(size.documents(), 64u);
}

}  // namespace
}  // namespace tenrex::program
