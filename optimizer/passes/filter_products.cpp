// top(n, t) is t times the ones at the best addresses. A product with ones changes no cell. So the product of t and
// filter(c, c), where c is a comparison, keeps those blocks of t for which c holds.
#include "optimizer/function_ranges.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// The comparison c of filter(c, c), which is 1 everywhere; each of its blocks is one cell.
std::optional<ir::NodeId> comparison_of_ones(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &filter = graph[id];
    if (filter.op != ir::Op::filter || filter.type->has_indexed() ||
        filter.operands[0] != graph.without_casts(filter.operands[1])) {
        return std::nullopt;
    }
    const ir::Node &condition = graph[filter.operands[0]];
    const bool is_one_or_zero = condition.op == ir::Op::apply && gives_truth(condition.as<ir::Apply>().function);
    return is_one_or_zero ? std::optional(filter.operands[0]) : std::nullopt;
}

}  // namespace

void filter_products(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];  // a copy: adding nodes moves them
        if (!applies(node, ScalarFunction::multiply)) {
            return std::nullopt;
        }
        for (const std::size_t i : {0, 1}) {
            ir::NodeId kept = operands[1 - i];
            const auto condition = comparison_of_ones(graph, operands[i]);
            // The product has the dimensions of what is kept, and both have the same addresses to choose from or fewer.
            if (!condition || graph[kept].type->dimensions() != node.type->dimensions()) {
                continue;
            }
            if (graph[kept].type->cell_type() != node.type->cell_type()) {
                kept = graph.add(ir::Op::cast, *node.type, {&kept, 1}, {}, node.span);
            }
            const ir::NodeId both[] = {kept, *condition};
            return graph.add(ir::Op::filter, *node.type, both, {}, node.span);
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
