// Float cells that are rounded to cells of fewer bits.
#include "lib/kernels/convert/convert_kernels.h"
#include "lib/lower/operations.h"
#include "lib/program/library/round_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_round(Context &context, const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const bool is_whole = node.operands.size() > 1;
    const std::size_t cells = node.type->block_cells();
    const std::size_t rows = is_whole ? context.type(node.operands[1]).block_cells() : 1;
    IndexSlot index;
    const auto use = [&](std::size_t operand, std::size_t count) {
        const IndexedCells own = context.in_order(node.operands[operand], CellType::f32);
        index = operand == 0 ? own.index : index;
        return BlockUse{own.cells, own.index ? BlockAccess::same : BlockAccess::dense, {}, count * sizeof(float)};
    };
    RoundStep::Shape shape;
    shape.operand = use(0, cells);
    shape.rows = rows;
    shape.length = cells / rows;
    if (is_whole) {
        shape.middle = use(1, rows);
        shape.factor = use(2, rows);
    }
    shape.target = context.target(node.stage, index, *node.type, cell_type);
    const kernels::ConversionOperation operation =
        is_whole ? kernels::ConversionOperation::round_whole : kernels::ConversionOperation::round_nearest;
    context.add_step<RoundStep>(
        node.stage, shape,
        kernels::choose_conversion(operation, CellType::f32, cell_type, shape.length, context.isa()));
    return context.written(shape.target, cell_type);
}

}  // namespace tenrex::lower
