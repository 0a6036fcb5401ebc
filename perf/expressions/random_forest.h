// Forests of given sizes, grown at random, as LightGBM writes them.
#pragma once

#include <cstddef>

#include <tenrex/forest.h>

namespace tenrex::perf {

struct ForestSizes {
    std::size_t trees = 0;
    std::size_t leaves = 0;  // of each tree
    std::size_t features = 0;
};

// Features are f0, f1, ...; thresholds are multiples of 1/128 from -1 to 1, as a trainer with 255 bins finds them.
Result<Forest> random_forest(const ForestSizes &sizes);

}  // namespace tenrex::perf
