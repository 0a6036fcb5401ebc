// Rebuilds a graph node by node.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// Calls replace(id, operands) for every node that the outputs reach, operands before users; `operands` are the new
// ones. It gives the node that stands for the old one, which must have the same type, or nothing: then the node stays
// as it is, with its new operands.
template <class Replace>
void rewrite(ir::Graph &graph, const Replace &replace) {
    const std::vector<std::uint32_t> uses = graph.use_counts();
    std::vector<ir::NodeId> standing(uses.size());
    std::vector<ir::NodeId> operands;
    for (ir::NodeId id = 0; id < uses.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        operands.clear();
        bool changed = false;
        for (const ir::NodeId operand : graph[id].operands) {
            operands.push_back(standing[operand]);
            changed |= standing[operand] != operand;
        }
        if (const std::optional<ir::NodeId> replacement = replace(id, std::span<const ir::NodeId>(operands))) {
            standing[id] = *replacement;
        } else {
            standing[id] = changed ? graph.with_operands(id, operands) : id;
        }
    }
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        graph.redirect_output(i, standing[graph.outputs()[i].node]);
    }
}

}  // namespace tenrex::optimizer
