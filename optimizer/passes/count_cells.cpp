// How many cells of a dense value are counted is known without the value.
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

void count_cells(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::reduce || node.attributes->aggregator != Aggregator::count ||
            graph[operands[0]].type->has_mapped()) {
            return std::nullopt;
        }
        const std::size_t cells = node.type->block_cells();
        const auto count = static_cast<double>(graph[operands[0]].type->block_cells() / cells);
        TensorBuilder counts(*node.type);
        counts.block({});
        for (std::size_t i = 0; i < cells; ++i) {
            counts.set(0, i, count);
        }
        return graph.constant(std::move(counts).build());
    });
}

}  // namespace tenrex::optimizer
