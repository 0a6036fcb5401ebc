// Between which numbers the cells of a node lie, as far as that follows from the graph: distances are not negative, a
// sigmoid is finite.
#pragma once

#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/range.h"

namespace tenrex::optimizer {

// An object lives as long as a pass runs, while the graph grows.
class Ranges {
public:
    explicit Ranges(const ir::Graph &graph) : graph_(graph) {}
    Range of(ir::NodeId id);

private:
    Range computed(const ir::Node &node) const;
    Range of_constant(const ir::Node &node) const;
    Range of_aggregate(const ir::Node &node, Aggregator aggregator, Range cells,
                       const std::vector<Dimension> &dimensions) const;
    Range of_contraction(const ir::Node &node) const;

    const ir::Graph &graph_;
    std::vector<Range> ranges_;  // of the nodes so far; operands come before their users
};

}  // namespace tenrex::optimizer
