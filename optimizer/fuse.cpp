#include "optimizer/fuse.h"

#include <algorithm>
#include <span>

namespace tenrex::optimizer {

namespace {

// More of them tell nobody anything.
constexpr std::size_t most_remarks = 16;

std::span<const ir::NodeId> operands_of(const ir::Graph &graph, ir::NodeId id, const std::optional<Fused> &fused) {
    return fused ? std::span<const ir::NodeId>(fused->operands) : graph[id].operands;
}

}  // namespace

std::nullopt_t Patterns::refuse(ir::NodeId id, std::string_view reason) const {
    Remark remark{graph_[id].op, *graph_[id].type, reason};
    if (remarks_.size() < most_remarks && std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) {
        remarks_.push_back(std::move(remark));
    }
    return std::nullopt;
}

void fuse(ir::Graph &graph, std::vector<Remark> &remarks, FindPattern find) {
    const Patterns patterns(graph, remarks);
    std::vector<std::optional<Fused>> fused(graph.size());
    std::vector<bool> needed(graph.size());
    bool found = false;
    for (const ir::GraphOutput &output : graph.outputs()) {
        needed[output.node] = true;
    }
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        if (needed[id]) {
            fused[id] = find(patterns, id);
            found |= fused[id].has_value();
            for (const ir::NodeId operand : operands_of(graph, id, fused[id])) {
                needed[operand] = true;
            }
        }
    }
    if (!found) {
        return;
    }
    std::vector<ir::NodeId> standing(needed.size());
    std::vector<ir::NodeId> operands;
    for (ir::NodeId id = 0; id < needed.size(); ++id) {
        if (!needed[id]) {
            continue;
        }
        const ir::Node node = graph[id];  // a copy: adding nodes moves them
        operands.clear();
        for (const ir::NodeId operand : operands_of(graph, id, fused[id])) {
            operands.push_back(standing[operand]);
        }
        if (fused[id]) {
            standing[id] = graph.add(fused[id]->op, *node.type, operands, std::move(fused[id]->payload), node.span);
        } else if (std::equal(operands.begin(), operands.end(), node.operands.begin(), node.operands.end())) {
            standing[id] = id;
        } else {
            standing[id] = graph.add(node.op, *node.type, operands, *node.payload, node.span);
        }
    }
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        graph.redirect_output(i, standing[graph.outputs()[i].node]);
    }
}

}  // namespace tenrex::optimizer
