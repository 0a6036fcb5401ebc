// A vector that is put together from scalars by nested concatenations is packed at once.
#include <algorithm>
#include <vector>

#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Whether the node is a scalar, or a vector of such cells that has been packed from scalars; then they come in the
// order of their indexes. Inner concatenations have been packed before.
bool collect(const ir::Graph &graph, ir::NodeId id, const TensorType &result, std::vector<ir::NodeId> &scalars) {
    const ir::Node &node = graph[id];
    if (node.type->is_scalar()) {
        scalars.push_back(id);
        return true;
    }
    const bool is_packed = node.op == ir::Op::pack && node.type->cell_type() == result.cell_type() &&
                           node.type->dimensions().size() == 1 && node.operands.size() == node.type->block_cells() &&
                           node.type->dimensions()[0].name == result.dimensions()[0].name &&
                           graph[node.operands[0]].type->is_scalar();
    if (!is_packed) {
        return false;
    }
    const std::size_t first = scalars.size();
    scalars.resize(first + node.operands.size(), id);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        scalars[first + node.as<ir::Pack>().cells[i].index] = node.operands[i];
    }
    return std::find(scalars.begin(), scalars.end(), id) == scalars.end();  // a cell that is given twice leaves a gap
}

}  // namespace

void pack_scalars(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::concat || node.type->dimensions().size() != 1) {
            return std::nullopt;
        }
        std::vector<ir::NodeId> scalars;
        if (!collect(graph, operands[0], *node.type, scalars) || !collect(graph, operands[1], *node.type, scalars)) {
            return std::nullopt;
        }
        ir::Pack pack;
        pack.dimensions = node.type->dimensions();
        pack.addresses.emplace_back();
        for (std::size_t i = 0; i < scalars.size(); ++i) {
            pack.cells.push_back({0, i});
        }
        return graph.add(ir::Op::pack, *node.type, scalars, std::move(pack), node.span);
    });
}

}  // namespace tenrex::optimizer
