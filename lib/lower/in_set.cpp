// Whether cells are in a set of numbers.
#include "lib/lower/operations.h"
#include "lib/program/dense/in_set_step.h"

namespace tenrex::lower {

using namespace program;

Value lower_in_set(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const IndexedCells cells = context.in_order(operand, CellType::f64);
    const BlockUse from{cells.cells,
                        cells.index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        node.type->block_cells() * sizeof(double)};
    const Target to = context.target(node.stage, cells.index, *node.type, CellType::f64);
    context.add_step<InSetStep>(node.stage, from, node.as<ir::InSet>().members, to);
    return context.converted(context.written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
