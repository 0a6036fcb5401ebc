// Random forests, and documents that meet their thresholds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "lib/forest/forest.h"

namespace tenrex::program {

struct ForestShape {
    std::size_t trees = 10;
    std::size_t leaves = 31;  // of a tree, at most
    std::size_t features = 5;
    std::uint32_t outputs = 1;
    std::size_t thresholds = 1000;  // different ones of a feature, at most
    bool all_tests = false;         // sets, equal numbers, zeros that are missing, thresholds that are no numbers
    bool chains = false;            // trees as deep as they have splits
};

class RandomForests {
public:
    explicit RandomForests(std::uint32_t seed) : random_(seed) {}

    forest::Forest forest(const ForestShape &shape);
    // A number for each feature: mostly a threshold or the next number, sometimes something special.
    std::vector<double> document(const forest::Forest &forest);

    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
    double number(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random_); }

private:
    forest::Split split(const ForestShape &shape, forest::Forest &forest);
    void tree(const ForestShape &shape, forest::Forest &forest);

    std::mt19937 random_;
};

}  // namespace tenrex::program
