// A forest whose splits compare ranks. Every split is true for numbers of some ranges, so that whatever it tests, it
// can be told from the number of range ends that are not above a number. That is exact: only comparisons matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/forest/forest.h"
#include "lib/kernels/forest/forest.h"

namespace tenrex::program {

// Where the numbers of a feature are.
struct FeatureSource {
    std::uint32_t operand = 0;
    std::uint32_t offset = 0;            // in its cells, in bytes
    CellType cell_type = CellType::f64;  // or f32
};

// A document passes if its byte of the column is not above the key.
struct RankedSplit {
    std::uint32_t column = 0;
    std::uint8_t key = 0;
    std::int32_t when_true = 0;  // a split, or ~leaf
    std::int32_t when_false = 0;
};

struct RankedForest {
    std::vector<kernels::ForestFeature> features;  // as those of the forest
    std::vector<kernels::ForestColumn> columns;    // the first is of nothing: all its bytes are 0
    std::vector<std::uint32_t> features_of_columns;
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<std::uint8_t> sets;
    std::vector<std::uint8_t> set_rows;
    std::vector<RankedSplit> splits;  // as those of the forest

    kernels::ForestRanking ranking() const noexcept;
};

RankedForest rank_splits(const forest::Forest &forest, std::span<const FeatureSource> sources);

}  // namespace tenrex::program
