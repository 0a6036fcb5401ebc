// The blocks whose rank is below a number, top(n, t), are taken without the rank of every cell.
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

std::optional<Fused> fuse_top(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &filter = patterns[id];
    const ir::Graph &graph = patterns.graph();
    const ir::Node &less = patterns[graph.without_casts(filter.operands[1])];
    if (!applies(less, ScalarFunction::less) || !patterns.type(less.operands[1]).is_scalar()) {
        return std::nullopt;
    }
    // Ranks are whole numbers, which only small cell types do not hold.
    ir::NodeId ranks = less.operands[0];
    while (patterns[ranks].op == ir::Op::cast &&
           decay(patterns.type(ranks).cell_type()) == patterns.type(ranks).cell_type()) {
        ranks = patterns[ranks].operands[0];
    }
    const ir::Node &order = patterns[ranks];
    if (order.op != ir::Op::order) {
        return std::nullopt;
    }
    const ir::Order &ranked = order.as<ir::Order>();
    if (order.type->has_indexed() || ranked.dimensions.size() != order.type->dimensions().size()) {
        return patterns.refuse(id, "the ranks are not those of all addresses, with one cell each");
    }
    if (graph.without_casts(order.operands[0]) != graph.without_casts(filter.operands[0])) {
        return patterns.refuse(id, "the ranks are those of another value");
    }
    for (ir::NodeId part = filter.operands[1]; part != ranks; part = patterns[part].operands[0]) {
        if (patterns.uses(part) != 1) {
            return patterns.refuse(id, "something else reads which blocks are kept");
        }
    }
    return Fused{ir::Op::top, {filter.operands[0], order.operands[0], less.operands[1]}, ir::Top{ranked.ascending}};
}

}  // namespace tenrex::optimizer
