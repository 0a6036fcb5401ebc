// Sums of small forests that were worked out by hand.
#include "lib/forest/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/forest/small_forest.h"

namespace tenrex::forest {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

double sum_of(const Forest &forest, std::vector<double> features) {
    double sum = 0;
    walk(forest, features, {&sum, 1});
    return sum;
}

TEST(ForestWalk, SplitsTakeTheirBranches) {
    const Forest forest = small_forest();
    EXPECT_EQ(1 + 10 + (0.25 + 2 * 1.0), sum_of(forest, {1, 2}));
    EXPECT_EQ(1 + 10 + (0.25 + 2 * 1.0), sum_of(forest, {1, 5.75})) << "the fraction of a category is dropped";
    EXPECT_EQ(1 + 20 + (0.25 + 2 * 1.0), sum_of(forest, {1, 4}));
    EXPECT_EQ(1 + 30 + 0.5, sum_of(forest, {std::nextafter(1.0, 2.0), -1}));
    EXPECT_EQ(1 + 20 + 0.5, sum_of(forest, {-inf, -1}));
}

TEST(ForestWalk, FractionsBelowZeroAreCategoryZeroUnlessTheSetSaysOtherwise) {
    Forest forest = small_forest();
    forest.sets[0].members = {0, 2};
    EXPECT_EQ(1 + 10 + 0.5, sum_of(forest, {1, -0.5}));
    forest.sets[0].only_from_zero = true;
    EXPECT_EQ(1 + 20 + 0.5, sum_of(forest, {1, -0.5}));
    EXPECT_EQ(1 + 10 + (0.25 + 2 * 1.0), sum_of(forest, {1, 0.5}));
}

TEST(ForestWalk, WhatIsMissingGoesItsWay) {
    const Forest forest = small_forest();
    EXPECT_EQ(1 + 30 + 0.5, sum_of(forest, {nan, nan}));
    EXPECT_EQ(1 + 20 + 0.5, sum_of(forest, {0, 0})) << "zero is missing in the second tree";
    EXPECT_EQ(1 + 20 + 0.5, sum_of(forest, {0, static_cast<double>(1e-35F)}));
    EXPECT_EQ(1 + 20 + 0.25, sum_of(forest, {0, std::nextafter(static_cast<double>(1e-35F), 1.0)}));
}

TEST(ForestWalk, LinearLeavesFallBackToTheirValue) {
    const Forest forest = small_forest();
    EXPECT_EQ(1 + 30 + (0.25 + 2 * 7.0), sum_of(forest, {7, 1}));
    EXPECT_EQ(inf, sum_of(forest, {inf, 1}));
    EXPECT_EQ(1 + 30 + 0.125, sum_of(forest, {nan, 1}));
}

TEST(ForestWalk, FloatsAreRoundedBeforeTheyAreTestedAndAdded) {
    Forest forest;
    forest.feature_names = {"a"};
    forest.initial = {0};
    forest.splits = {{0, forest::Test::less, false, false, 0, 1, ~0, ~1}};
    forest.leaves = {1, 2};
    forest.trees = {{0, 0}};
    const double below = std::nextafter(1.0, 0.0);
    EXPECT_EQ(1, sum_of(forest, {below}));
    forest.float_features = true;
    EXPECT_EQ(2, sum_of(forest, {below})) << "as a float it is 1";
    forest.leaves = {0, 1e-9};
    forest.initial = {1};
    EXPECT_EQ(1 + 1e-9, sum_of(forest, {2}));
    forest.sum = SumType::in_float;
    EXPECT_EQ(1, sum_of(forest, {2}));
}

TEST(ForestWalk, OutputsHaveTreesOrLeavesOfTheirOwn) {
    Forest forest;
    forest.feature_names = {"a"};
    forest.outputs = 2;
    forest.initial = {1, 2};
    forest.divisor = 4;
    forest.splits = {{0, forest::Test::equal, false, false, 0, 3, ~0, ~1}};
    forest.leaves = {10, 20, 30};
    forest.trees = {{0, 1}, {~2, 0}};
    std::vector<double> sums(2);
    walk(forest, std::vector<double>{3}, sums);
    EXPECT_EQ((std::vector<double>{31 / 4.0, 12 / 4.0}), sums);

    forest.vector_leaves = true;
    forest.leaves = {1, 2, 3, 4};
    forest.trees = {{0, 0}};
    walk(forest, std::vector<double>{0}, sums);
    EXPECT_EQ((std::vector<double>{4 / 4.0, 6 / 4.0}), sums);
}

}  // namespace
}  // namespace tenrex::forest
