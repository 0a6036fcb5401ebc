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

// How many labels a table has, and so what all of its sums cost, is not known: it has indexes.
bool is_picked_by_document(const ir::Graph &graph, const ir::Node &node) {
    return node.op == ir::Op::peek && node.stage == Stage::document &&
           graph[node.operands[0]].stage != Stage::document && !graph[node.operands[0]].type->has_mapped();
}

// Whether the sums of all rows take little memory, or no more than the rows.
bool are_small(const ir::Graph &graph, ir::NodeId source, ir::NodeId known, const std::vector<std::string> &summed) {
    constexpr double cells_of_small_sums = 1 << 16;
    double cells = 1;
    for (const Dimension &dimension : joined_without(graph, {source, known}, summed)) {
        cells *= static_cast<double>(dimension.size);
    }
    return cells <= std::max(cells_of_small_sums, static_cast<double>(graph[source].type->block_cells()));
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
    if (meets_a_name || !are_small(graph, source, known, summed) ||
        product_cost(*graph[source].type, known_type, summed, earlier) >=
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
