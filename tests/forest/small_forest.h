// A forest of two trees that is small enough to work out by hand.
#pragma once

#include "lib/forest/forest.h"

namespace tenrex::forest {

//   tree 0: a <= 1 ? (b in {2,5}, fractions dropped ? 10 : 20) : 30;   a missing: second branch, b missing: second
//   tree 1: b < 0, zero is missing, missing passes ? 0.5 : 0.25 + 2 * a (0.125 if a is missing)
inline Forest small_forest() {
    Forest forest;
    forest.feature_names = {"a", "b"};
    forest.initial = {1};
    forest.splits = {{0, Test::less_equal, false, false, 0, 1, 1, ~2},
                     {1, Test::in_set, false, false, 0, 0, ~0, ~1},
                     {1, Test::less, true, true, 0, 0, ~3, ~4}};
    forest.leaves = {10, 20, 30, 0.5, 0.125};
    forest.sets = {{{2, 5}, true}};
    forest.linear_leaves = {{4, 0.25, {{0, 2}}}};
    forest.trees = {{0, 0}, {2, 0}};
    return forest;
}

}  // namespace tenrex::forest
