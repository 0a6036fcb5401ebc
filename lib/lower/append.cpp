// Rows behind each other.
#include "lib/lower/operations.h"
#include "lib/program/sparse/row_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_append(Context &context, const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells a = context.in_order(node.operands[0], cell_type);
    const IndexedCells b = context.in_order(node.operands[1], cell_type);
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    context.add_step<AppendStep>(node.stage, a, b, to);
    context.addresses().note_rows(to.index);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
