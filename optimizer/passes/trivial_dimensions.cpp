// Dimensions of size 1 come and go without touching a cell: a reduction over them takes the only cell there is, and a
// factor of ones adds dimensions to the other one.
#include <algorithm>

#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

std::optional<ir::NodeId> without_dimensions(ir::Graph &graph, const ir::Node &node, ir::NodeId operand) {
    const auto &[aggregator, reduced] = node.as<ir::Reduce>();
    const TensorType &from = *graph[operand].type;
    const bool all_trivial = std::all_of(reduced.begin(), reduced.end(), [&](const std::string &name) {
        return from.dimensions()[*from.find(name)].is_trivial();
    });
    if (!all_trivial || reduced.empty() || aggregator == Aggregator::count) {
        return std::nullopt;
    }
    const ir::NodeId cells = add_first_cells(graph, operand, reduced, node.span);
    const CellType cell_type = node.type->cell_type();
    if (aggregator == Aggregator::sum || aggregator == Aggregator::avg) {
        // A sum begins with 0, and 0 + -0 is 0.
        return add_apply(graph, ScalarFunction::add, cell_type, {cells, graph.constant(0)}, node.span);
    }
    return add_cast(graph, cells, cell_type, node.span);
}

// Whether the node is a constant with one cell, a 1, and dimensions of size 1.
bool is_one(const ir::Node &node) {
    if (node.op != ir::Op::constant || node.is_number() || node.type->has_mapped()) {
        return false;
    }
    const Tensor &tensor = *node.as<ir::Constant>().value;
    return node.type->block_cells() == 1 && tensor.cell(0) == 1;
}

std::optional<ir::NodeId> with_dimensions(ir::Graph &graph, const ir::Node &node,
                                          std::span<const ir::NodeId> operands) {
    const std::size_t ones = is_one(graph[operands[0]]) ? 0 : 1;
    if (!is_one(graph[operands[ones]])) {
        return std::nullopt;
    }
    const ir::NodeId other = add_cast(graph, operands[1 - ones], node.type->cell_type(), node.span);
    if (*graph[other].type == *node.type) {
        return other;
    }
    const ir::NodeId both[] = {other, operands[ones]};
    return graph.add(ir::Op::join_addresses, *node.type, both, {}, node.span);
}

}  // namespace

void trivial_dimensions(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op == ir::Op::reduce) {
            return without_dimensions(graph, node, operands[0]);
        }
        if (applies(node, ScalarFunction::multiply)) {
            return with_dimensions(graph, node, operands);
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
