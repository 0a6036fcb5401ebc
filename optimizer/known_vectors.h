// What dense values of the constant stage come to, as far as passes must know: the indexes of generators.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// Computes cell by cell with the scalar functions themselves; an object lives as long as a pass runs.
class KnownVectors {
public:
    explicit KnownVectors(const ir::Graph &graph) : graph_(graph) {}

    // The cells of a node, in the order of its type; null if they are not known, or are more than is worth the time.
    const std::vector<double> *of(ir::NodeId id);

private:
    using Cells = std::optional<std::vector<double>>;

    bool may_be_known(ir::NodeId id) const;
    Cells computed(const ir::Node &node) const;

    const ir::Graph &graph_;
    std::unordered_map<ir::NodeId, Cells> cells_;
    std::size_t budget_ = std::size_t{1} << 20;  // cells that may still be computed
};

}  // namespace tenrex::optimizer
