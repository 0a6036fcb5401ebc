// A forest as the operators of ONNX hold it: rows of splits that refer to each other by number, and weights of leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/forest/forest.h"
#include "lib/onnx/ensemble_node.h"

namespace tenrex::onnx {

// What a leaf adds to a target.
struct LeafWeight {
    std::size_t leaf = 0;
    std::uint32_t target = 0;
    double weight = 0;
};

// A row with a test. Where it leads: to a row, or to the leaf ~n.
struct SplitRow {
    std::int64_t feature = 0;
    forest::Split split;            // its test
    bool leads_when_false = false;  // what passes the test goes the other way
    std::int64_t when_true = 0;
    std::int64_t when_false = 0;
};

struct EnsembleParts {
    std::vector<SplitRow> rows;
    std::vector<LeafWeight> weights;
    std::size_t leaves = 0;
    std::vector<std::int64_t> roots;  // rows or leaves
    std::vector<forest::NumberSet> sets;
};

// The names of the attributes that hold what leaves add: of a classifier and of a regressor.
struct WeightNames {
    std::string_view trees;
    std::string_view nodes;
    std::string_view targets;
    std::string_view weights;
};

// Of TreeEnsembleRegressor and TreeEnsembleClassifier, and of TreeEnsemble. Errors are thrown.
EnsembleParts read_listed_nodes(const EnsembleNode &node, const WeightNames &names);
EnsembleParts read_split_nodes(const EnsembleNode &node);

}  // namespace tenrex::onnx
