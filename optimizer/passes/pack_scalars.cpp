// A vector that is put together from scalars by nested concatenations is packed at once.
#include <vector>

#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Whether the node is a scalar, or a concatenation of such nodes along the dimension; then their scalars in order.
bool collect(const ir::Graph &graph, ir::NodeId id, const std::string &along, std::vector<ir::NodeId> &scalars) {
    const ir::Node &node = graph[id];
    if (node.type->is_scalar()) {
        scalars.push_back(id);
        return true;
    }
    if (node.op == ir::Op::pack && node.type->dimensions().size() == 1 && node.type->dimensions()[0].name == along &&
        node.operands.size() == node.type->block_cells() && graph[node.operands[0]].type->is_scalar()) {
        scalars.insert(scalars.end(), node.operands.begin(), node.operands.end());
        return true;
    }
    return node.op == ir::Op::concat && node.attributes->dimensions[0] == along &&
           collect(graph, node.operands[0], along, scalars) && collect(graph, node.operands[1], along, scalars);
}

}  // namespace

void pack_scalars(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::concat || node.type->dimensions().size() != 1) {
            return std::nullopt;
        }
        std::vector<ir::NodeId> scalars;
        const std::string &along = node.attributes->dimensions[0];
        if (!collect(graph, operands[0], along, scalars) || !collect(graph, operands[1], along, scalars) ||
            scalars.size() != node.type->block_cells()) {
            return std::nullopt;
        }
        ir::Attributes attributes;
        attributes.addresses.emplace_back();
        for (std::size_t i = 0; i < scalars.size(); ++i) {
            attributes.cells.push_back({0, i});
        }
        return graph.add(ir::Op::pack, *node.type, scalars, std::move(attributes), node.span);
    });
}

}  // namespace tenrex::optimizer
