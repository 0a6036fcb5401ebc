// What passes ask about the processor. Whoever lowers the graph answers: passes know no kernels.
#pragma once

#include <cstdint>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

class Costs {
public:
    Costs() = default;
    Costs(const Costs &) = delete;
    Costs &operator=(const Costs &) = delete;
    virtual ~Costs() = default;
    // Of a product of matrices for each document, in nanoseconds, with the rows of one operand and the columns of the
    // other.
    virtual double product(const ir::Graph &graph, const ir::Node &contraction, ir::NodeId rows,
                           ir::NodeId columns) const = 0;
    // How many splits trees of numbers must have to be computed faster as a forest than as formulas.
    virtual std::uint64_t least_splits() const = 0;
};

}  // namespace tenrex::optimizer
