// A part of a block, which is a view where that is possible.
#include "lib/lower/block_part.h"

#include <algorithm>

#include "lib/lower/context.h"
#include "lib/program/layout.h"
#include "lib/program/move/copy_steps.h"

namespace tenrex::lower {

using namespace program;

Value part_of_block(Context &context, ir::NodeId operand, IndexSlot index, const ir::Node &node, CopyNest nest,
                    std::size_t first_cell) {
    const CellType cell_type = context.value(operand).cell_type;
    const std::size_t first_byte = first_cell * byte_size(cell_type);
    const bool contiguous = nest.contiguous_bytes() == node.type->block_cells() * byte_size(cell_type);
    if (contiguous && node.type->block_cells() == context.type(operand).block_cells()) {
        Value same = context.value(operand);
        same.index = index;
        if (!same.map) {
            same.cells_index = index;
        }
        return same;
    }
    const BlockUse from = context.own_use(operand, cell_type);
    if (contiguous && !index) {
        const CellsSlot view = context.view_of(from.cells, *node.type, cell_type);
        context.add_step<AliasStep>(view.stage, from.cells, first_byte, view);
        return {index, view, cell_type, {}, {}};
    }
    std::vector<CopyPart> parts;
    parts.push_back({from, std::move(nest), first_byte, 0});
    const Target to = context.target(std::max(from.cells.stage, index.stage), index, *node.type, cell_type);
    context.add_step<CopyStep>(to.cells.stage, std::move(parts), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
