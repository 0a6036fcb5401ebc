// One of two values, as a scalar says.
#include "lib/lower/operations.h"
#include "lib/program/sparse/branch_step.h"

namespace tenrex::lower {

using namespace program;

Value lower_branch(Context &context, const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells condition = context.in_order(node.operands[0], CellType::f64);
    const IndexedCells when_true = context.in_order(node.operands[1], cell_type);
    const IndexedCells when_false = context.in_order(node.operands[2], cell_type);
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    context.add_step<BranchStep>(node.stage, condition.cells, when_true, when_false, node.type->mapped_count(), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
