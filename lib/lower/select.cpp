// A choice cell by cell.
#include <array>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/lower/elementwise.h"
#include "lib/lower/operations.h"

namespace tenrex::lower {

using namespace program;

Value lower_select(Context &context, const ir::Node &node) {
    // The kernel takes the condition last, and in the cell type of the others.
    const CellType cell_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    const std::array operands = {context.operand(node.operands[1]), context.operand(node.operands[2]),
                                 context.operand(node.operands[0])};
    const Value condition = context.value(node.operands[0]);
    const bool narrowed = cell_type == CellType::f32 && condition.cell_type == CellType::f64;
    return elementwise(context, node, kernels::ElementwiseOperation::select, operands,
                       narrowed ? CellType::f64 : cell_type);
}

}  // namespace tenrex::lower
