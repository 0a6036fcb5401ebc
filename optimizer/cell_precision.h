// In which cell type an operation computes: what the plan's rounding follows from.
#pragma once

#include <utility>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

class CellPrecision {
public:
    explicit CellPrecision(const ir::Graph &graph) : graph_(graph) {}
    // Of the body of a region. float_inputs: of which inputs floats hold all cells, as the region's graph knows.
    CellPrecision(const ir::Graph &body, std::vector<bool> float_inputs)
        : graph_(body), float_inputs_(std::move(float_inputs)) {}

    // Whether floats hold all its cells, even if they are doubles.
    bool is_float(ir::NodeId id) const;
    // Of an apply or multiply_add. Float only if that is as good as computing in double and rounding, provided that
    // unknown_numbers() have nearest floats.
    CellType computed_in(const ir::Node &node) const;
    // Doubles that an operation on float cells reads and that only run time knows.
    std::vector<ir::NodeId> unknown_numbers(const ir::Node &node) const;
    // The same without making the list.
    bool has_unknown_numbers(const ir::Node &node) const;

    // Whether a sum of the node's cells may be formed in float: floats that are computed for it, but neither products
    // of int8 cells, whose sums are exact, nor cells of which only the sign is changed (docs/numerics.md).
    bool adds_in_float(ir::NodeId id) const;
    // The same of a node in the body of a region of this graph.
    bool adds_in_float(const ir::Node &region, ir::NodeId in_body) const;

private:
    // Whether any int8 cells have a part in it: casts, choices and the like may leave them as they are.
    bool comes_from_int8(ir::NodeId id) const;
    bool is_unknown_number(ir::NodeId operand) const;

    const ir::Graph &graph_;
    std::vector<bool> float_inputs_;
    mutable std::vector<bool> from_int8_;  // by node, of those that were asked for and all before
};

}  // namespace tenrex::optimizer
