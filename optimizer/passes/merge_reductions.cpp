// The sum of sums, the maximum of maxima, the minimum of minima and the product of products are one reduction. What is
// empty inside is empty, or 0, as a whole too.
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool is_associative(Aggregator aggregator) {
    return aggregator == Aggregator::sum || aggregator == Aggregator::max || aggregator == Aggregator::min ||
           aggregator == Aggregator::prod;
}

}  // namespace

void merge_reductions(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::reduce || run.uses[node.operands[0]] != 1) {
            return std::nullopt;
        }
        ir::Reduce both = node.as<ir::Reduce>();
        const ir::Node inner = graph[operands[0]];
        if (!is_associative(both.aggregator) || inner.op != ir::Op::reduce ||
            inner.as<ir::Reduce>().aggregator != both.aggregator ||
            inner.type->has_mapped() != graph[inner.operands[0]].type->has_mapped()) {
            return std::nullopt;
        }
        const std::vector<std::string> &dimensions = inner.as<ir::Reduce>().dimensions;
        both.dimensions.insert(both.dimensions.end(), dimensions.begin(), dimensions.end());
        return graph.add(ir::Op::reduce, *node.type, inner.operands, std::move(both), node.span);
    });
}

}  // namespace tenrex::optimizer
