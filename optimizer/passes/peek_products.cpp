// A sum of products with cells that a document picks out of a value known before it is picked out of the sums for all
// of them: sum(q*E{cat:(c)}) is sum(q*E,x){cat:(c)}, whose sums are computed once. A place that does not exist gives 0,
// and so does the sum of its products, unless the other operand has an infinity or NaN.
#include <algorithm>

#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/product_order.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool is_picked_by_document(const ir::Graph &graph, const ir::Node &node) {
    return node.op == ir::Op::peek && node.stage == Stage::document && !node.type->has_mapped() &&
           graph[node.operands[0]].stage != Stage::document;
}

std::optional<ir::NodeId> peek_last(ir::Graph &graph, const ir::Node &node, ir::NodeId picked, ir::NodeId known) {
    const ir::Node peek = graph[picked];
    const TensorType &known_type = *graph[known].type;
    if (!is_picked_by_document(graph, peek) || graph[known].stage == Stage::document || known_type.has_mapped()) {
        return std::nullopt;
    }
    const ir::NodeId source = peek.operands[0];
    const std::vector<ir::PeekPart> &parts = peek.as<ir::Peek>().parts;
    const std::vector<std::string> &summed = node.as<ir::Contract>().dimensions;
    const bool meets_a_name = std::ranges::any_of(
        parts, [&](const ir::PeekPart &part) { return known_type.find(part.dimension).has_value(); });
    const Stage earlier = std::max(graph[source].stage, graph[known].stage);
    if (meets_a_name || product_cost(*graph[source].type, known_type, summed, earlier) >=
                            product_cost(*peek.type, known_type, summed, Stage::document)) {
        return std::nullopt;
    }
    const ir::NodeId sums = add_contraction(graph, source, known, summed, false, node.span);
    std::vector<ir::NodeId> operands(peek.operands.begin(), peek.operands.end());
    operands[0] = sums;
    return graph.add(ir::Op::peek, *node.type, operands, ir::Peek{parts}, peek.span);
}

}  // namespace

void peek_products(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (!is_sum_of_products(node) || node.as<ir::Contract>().has_epilogue() || operands.size() != 2) {
            return std::nullopt;
        }
        for (const auto &[picked, known] : either_order(operands)) {
            if (const auto result = peek_last(graph, node, picked, known)) {
                return result;
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
