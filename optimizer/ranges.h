// Between which numbers the cells of a node lie, as far as that follows from the graph: distances are not negative, a
// sigmoid is finite.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// Of the cells that are numbers, infinities included. Wide enough for the errors of every kernel.
struct Range {
    double low = -std::numeric_limits<double>::infinity();  // -0: a zero may have either sign
    double high = std::numeric_limits<double>::infinity();
    bool may_be_nan = true;

    bool may_be(double number) const noexcept { return low <= number && number <= high; }
    bool may_be_infinite() const noexcept { return std::isinf(low) || std::isinf(high); }
    // Neither a number below 0 nor -0 is among them.
    bool is_never_negative() const noexcept { return !std::signbit(low); }
};

// Whether the function gives nothing but 0 and 1.
bool gives_truth(ScalarFunction function) noexcept;

// An object lives as long as a pass runs, while the graph grows.
class Ranges {
public:
    explicit Ranges(const ir::Graph &graph) : graph_(graph) {}
    Range of(ir::NodeId id);

private:
    Range computed(const ir::Node &node) const;
    Range of_constant(const ir::Node &node) const;
    Range of_function(ScalarFunction function, Range a, Range b) const;
    Range of_aggregate(const ir::Node &node, Aggregator aggregator, Range cells,
                       const std::vector<Dimension> &dimensions) const;
    Range of_contraction(const ir::Node &node) const;

    const ir::Graph &graph_;
    std::vector<Range> ranges_;  // of the nodes so far; operands come before their users
};

}  // namespace tenrex::optimizer
