// The blocks with the lowest ranks: top(n, t), without the rank of every cell.
#include "lib/lower/operations.h"
#include "lib/program/library/top_step.h"

namespace tenrex::lower {

using namespace program;

Value lower_top(Context &context, const ir::Node &node) {
    const ir::NodeId ranked_node = node.operands[1];
    const CellType cell_type = node.type->cell_type();
    const CellType ranked_type = context.value(ranked_node).cell_type == CellType::f64 ? CellType::f64 : CellType::f32;
    const IndexedCells ranked = context.in_order(ranked_node, ranked_type);
    const IndexedCells kept = context.in_order(node.operands[0], cell_type);
    const BlockUse count = context.own_use(node.operands[2], CellType::f64);
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    context.add_step<TopStep>(node.stage, ranked, ranked_type, kept.cells, count, node.type->mapped_count(),
                              node.as<ir::Top>().ascending, to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
