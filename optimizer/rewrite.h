// Rebuilds a graph node by node.
#pragma once

#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// Calls replace(id, operands) for every node that the outputs reach, operands before users; `operands` are the new
// ones. It gives the node that stands for the old one, which must have the same type, or nothing: then the node stays
// as it is, with its new operands. uses: of each node, as PassRun has them. Takes no memory if nothing is replaced.
template <class Replace>
void rewrite(ir::Graph &graph, std::span<const std::uint32_t> uses, const Replace &replace) {
    std::vector<ir::NodeId> standing;  // from the first node on that is replaced
    std::vector<ir::NodeId> operands;
    for (ir::NodeId id = 0; id < uses.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        if (standing.empty()) {
            const std::optional<ir::NodeId> replacement = replace(id, graph[id].operands);
            if (replacement && *replacement != id) {
                standing.resize(uses.size());
                std::iota(standing.begin(), standing.begin() + id, ir::NodeId{0});
                standing[id] = *replacement;
            }
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
    for (std::size_t i = 0; i < (standing.empty() ? 0 : graph.outputs().size()); ++i) {
        graph.redirect_output(i, standing[graph.outputs()[i].node]);
    }
}

}  // namespace tenrex::optimizer
