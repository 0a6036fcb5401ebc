// Which operations cell by cell are computed together.
//
// The operations of a region have the same dimensions and stage, and if they have addresses, the same ones. No path may
// leave it and come back, since it is computed once. Levels see to that: they never fall along a path, and rise where
// it leaves an operation of a region for anything but one of the same region. So operations of one level and one form
// are a region.
#pragma once

#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/fuse.h"

namespace tenrex::optimizer {

// The operations of each region, in the order in which they are computed. Takes time in proportion to the nodes and
// their operands.
std::vector<std::vector<ir::NodeId>> find_regions(const Patterns &patterns);

// Whether the node aggregates rows of cells, each long enough to be aggregated by the region that computes them.
bool aggregates_rows(const Patterns &patterns, ir::NodeId id);

}  // namespace tenrex::optimizer
