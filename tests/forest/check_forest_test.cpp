// What is refused as a forest.
#include "lib/forest/check_forest.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/forest/small_forest.h"

namespace tenrex::forest {
namespace {

template <class Change>
std::string problem_after(const Change &change) {
    Forest forest = small_forest();
    change(forest);
    return problem_of(forest);
}

TEST(CheckForest, TakesAGoodOne) {
    EXPECT_EQ("", problem_of(small_forest()));
    EXPECT_EQ("", problem_after([](Forest &f) { f.trees = {{~0, 0}}; })) << "splits may be left over";
}

TEST(CheckForest, RefusesNumbersOfWhatIsNotThere) {
    EXPECT_EQ("a split tests feature 2 of 2", problem_after([](Forest &f) { f.splits[1].feature = 2; }));
    EXPECT_EQ("tree 1 leads to split 3 of 3", problem_after([](Forest &f) { f.trees[1].root = 3; }));
    EXPECT_EQ("tree 0 leads to leaf 5 of 5", problem_after([](Forest &f) { f.splits[1].when_true = ~5; }));
    EXPECT_EQ("tree 0 leads to leaf 2147483647 of 5",
              problem_after([](Forest &f) { f.trees[0].root = std::numeric_limits<std::int32_t>::min(); }));
    EXPECT_EQ("tree 1 is for output 1 of 1", problem_after([](Forest &f) { f.trees[1].output = 1; }));
    EXPECT_EQ("a split has no set or threshold", problem_after([](Forest &f) { f.sets.clear(); }));
    EXPECT_EQ("a linear leaf takes feature 9 of 2",
              problem_after([](Forest &f) { f.linear_leaves[0].terms[0].feature = 9; }));
    EXPECT_EQ("the linear leaves are not in ascending order",
              problem_after([](Forest &f) { f.linear_leaves[0].leaf = 5; }));
}

TEST(CheckForest, RefusesCyclesAndSharedParts) {
    EXPECT_EQ("split 0 has two places in tree 0 or those before it",
              problem_after([](Forest &f) { f.splits[1].when_true = 0; }));
    EXPECT_EQ("leaf 2 has two places in tree 0 or those before it",
              problem_after([](Forest &f) { f.splits[1].when_true = ~2; }));
    EXPECT_EQ("split 0 has two places in tree 1 or those before it",
              problem_after([](Forest &f) { f.trees[1].root = 0; }));
}

TEST(CheckForest, RefusesWhatHasNoMeaning) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ("a split has no set or threshold", problem_after([](Forest &f) { f.splits[0].threshold = nan; }));
    EXPECT_EQ("the numbers of a set are not in ascending order", problem_after([](Forest &f) {
                  f.sets[0].members = {5, 2};
              }));
    EXPECT_EQ("the numbers of a set are not in ascending order",
              problem_after([](Forest &f) { f.sets[0].members = {nan}; }));
    EXPECT_EQ("two features have the name 'a'", problem_after([](Forest &f) { f.feature_names = {"a", "a"}; }));
    EXPECT_EQ("it has 0 outputs; from 1 to 65536 are possible", problem_after([](Forest &f) { f.outputs = 0; }));
    EXPECT_EQ("its sums do not fit its outputs", problem_after([](Forest &f) { f.initial.clear(); }));
    EXPECT_EQ("its sums do not fit its outputs", problem_after([](Forest &f) { f.divisor = 0; }));
}

}  // namespace
}  // namespace tenrex::forest
