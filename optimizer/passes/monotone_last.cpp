// The largest 1/(1+x) is that of the smallest x, if no x is below 0: distances are compared, and only the best one is
// turned into a closeness. A NaN is passed over on both ways, unless there is nothing else.
#include <optional>

#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool is_one(const ir::Node &node) {
    return node.op == ir::Op::constant && !node.attributes->value && node.attributes->number == 1;
}

bool applies(const ir::Node &node, ScalarFunction function) {
    return node.op == ir::Op::apply && node.attributes->function == function;
}

// Sums of squares, of absolute values and of numbers of bits, and square roots.
bool is_never_negative(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    if (node.op == ir::Op::cast) {
        // int8 wraps around: 128 becomes -128.
        return node.type->cell_type() != CellType::i8 && is_never_negative(graph, node.operands[0]);
    }
    if (applies(node, ScalarFunction::sqrt)) {
        return true;
    }
    return node.op == ir::Op::contract &&
           (node.attributes->function == ScalarFunction::hamming || node.attributes->after.has_value());
}

// The x of 1/(1+x).
std::optional<ir::NodeId> distance_of_closeness(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    if (!applies(node, ScalarFunction::divide) || !is_one(graph[node.operands[0]])) {
        return std::nullopt;
    }
    const ir::Node &sum = graph[node.operands[1]];
    if (!applies(sum, ScalarFunction::add)) {
        return std::nullopt;
    }
    for (const bool second : {false, true}) {
        const ir::NodeId x = sum.operands[second ? 0 : 1];
        if (is_one(graph[sum.operands[second ? 1 : 0]]) && is_never_negative(graph, x)) {
            return x;
        }
    }
    return std::nullopt;
}

}  // namespace

void monotone_last(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        const bool largest = node.op == ir::Op::reduce && node.attributes->aggregator == Aggregator::max;
        const bool smallest = node.op == ir::Op::reduce && node.attributes->aggregator == Aggregator::min;
        if (!largest && !smallest) {
            return std::nullopt;
        }
        const std::optional<ir::NodeId> x = distance_of_closeness(graph, operands[0]);
        // An empty group without an address gives 0 before and 1 afterwards.
        if (!x || (graph[*x].type->has_mapped() && !node.type->has_mapped())) {
            return std::nullopt;
        }
        const CellType cell_type = node.type->cell_type();
        ir::Attributes attributes = *node.attributes;
        attributes.aggregator = largest ? Aggregator::min : Aggregator::max;
        const ir::NodeId best = graph.add(ir::Op::reduce, *node.type, {&*x, 1}, std::move(attributes), node.span);
        const ir::NodeId one = graph.constant(1);
        const ir::NodeId sum = add_apply(graph, ScalarFunction::add, cell_type, {one, best}, node.span);
        return add_apply(graph, ScalarFunction::divide, cell_type, {one, sum}, node.span);
    });
}

}  // namespace tenrex::optimizer
