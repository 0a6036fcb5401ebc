// A range of indexes.
#include "lib/lower/block_part.h"
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_slice(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = context.value(operand).cell_type;
    CopyNest nest(byte_size(cell_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_indexed()) {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride_of(context.type(operand), dimension.name)));
        }
    }
    const ir::Slice &slice = node.as<ir::Slice>();
    const std::size_t first = slice.begin * stride_of(context.type(operand), slice.dimension);
    return part_of_block(context, operand, context.value(operand).index, node, std::move(nest), first);
}

}  // namespace tenrex::lower
