// The blocks with the lowest ranks: top(n, t), without the rank of every cell.
#include "lib/plan/lowering.h"
#include "lib/plan/order_steps.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

std::optional<Lowering::Top> Lowering::top_blocks(const ir::Node &node, const std::vector<std::uint32_t> &uses) const {
    if (node.op != ir::Op::filter) {
        return std::nullopt;
    }
    // Ranks and comparison are for the filter alone, however they are cast.
    for (ir::NodeId id = node.operands[1];; id = graph_[id].operands[0]) {
        const ir::Op op = graph_[id].op;
        if (op == ir::Op::order) {
            break;
        }
        if (uses[id] != 1 || (op != ir::Op::cast && op != ir::Op::apply)) {
            return std::nullopt;
        }
    }
    const ir::Node &less = graph_[graph_.without_casts(node.operands[1])];
    if (!optimizer::applies(less, ScalarFunction::less) || !type(less.operands[1]).is_scalar()) {
        return std::nullopt;
    }
    // Ranks are whole numbers, which only small cell types do not hold.
    ir::NodeId ranks = less.operands[0];
    while (graph_[ranks].op == ir::Op::cast && decay(type(ranks).cell_type()) == type(ranks).cell_type()) {
        ranks = graph_[ranks].operands[0];
    }
    const ir::Node &order = graph_[ranks];
    if (order.op != ir::Op::order || order.type->has_indexed() ||
        order.as<ir::Order>().dimensions.size() != order.type->dimensions().size() ||
        graph_.without_casts(order.operands[0]) != graph_.without_casts(node.operands[0])) {
        return std::nullopt;
    }
    return Top{order.operands[0], less.operands[1], order.as<ir::Order>().ascending};
}

Value Lowering::top(const ir::Node &node, const Top &top) {
    const CellType cell_type = node.type->cell_type();
    const CellType ranked_type = values_[top.ranked].cell_type == CellType::f64 ? CellType::f64 : CellType::f32;
    const IndexedCells ranked = in_order(top.ranked, ranked_type);
    const IndexedCells kept = in_order(node.operands[0], cell_type);
    const BlockUse count = own_use(top.count, CellType::f64);
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    add_step<TopStep>(node.stage, ranked, ranked_type, kept.cells, count, node.type->mapped_count(), top.ascending, to);
    return written(to, cell_type);
}

}  // namespace tenrex::plan
