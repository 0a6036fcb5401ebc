// The blocks with the lowest ranks: top(n, t), without the rank of every cell.
#include "lib/plan/lowering.h"
#include "lib/plan/order_steps.h"

namespace tenrex::plan {

Value Lowering::top(const ir::Node &node) {
    const ir::NodeId ranked_node = node.operands[1];
    const CellType cell_type = node.type->cell_type();
    const CellType ranked_type = values_[ranked_node].cell_type == CellType::f64 ? CellType::f64 : CellType::f32;
    const IndexedCells ranked = in_order(ranked_node, ranked_type);
    const IndexedCells kept = in_order(node.operands[0], cell_type);
    const BlockUse count = own_use(node.operands[2], CellType::f64);
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    add_step<TopStep>(node.stage, ranked, ranked_type, kept.cells, count, node.type->mapped_count(),
                      node.as<ir::Top>().ascending, to);
    return written(to, cell_type);
}

}  // namespace tenrex::plan
