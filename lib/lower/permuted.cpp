// Cells in another order of their dimensions.
#include "lib/lower/permuted.h"

#include <algorithm>

#include "lib/lower/context.h"
#include "lib/program/layout.h"
#include "lib/program/move/copy_steps.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value permuted(Context &context, const Value &value, const TensorType &type, const std::vector<std::string> &order) {
    if (std::is_sorted(order.begin(), order.end())) {
        return value;
    }
    CopyNest nest(byte_size(value.cell_type), context.isa());
    std::size_t rest = cells_of(type, order);
    for (const std::string &name : order) {
        const std::size_t size = cells_of(type, {name});
        rest /= size;
        nest.add(size, static_cast<std::ptrdiff_t>(rest), static_cast<std::ptrdiff_t>(stride_of(type, name)));
    }
    const BlockUse from{value.cells,
                        value.cells_index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        type.block_cells() * byte_size(value.cell_type)};
    context.note_use(value.cells);
    std::vector<CopyPart> parts;
    parts.push_back({from, std::move(nest), 0, 0});
    const Target to = context.target(value.cells.stage, value.cells_index, type, value.cell_type);
    context.add_step<CopyStep>(to.cells.stage, std::move(parts), to);
    Value result = value;
    result.cells = to.cells;
    return result;
}

CellsSlot in_layout(Context &context, ir::NodeId node, CellType cell_type, const std::vector<std::string> &order) {
    const IndexedCells cells = context.in_order(node, cell_type);
    return permuted(context, {cells.index, cells.cells, cell_type, {}, cells.index}, context.type(node), order).cells;
}

}  // namespace tenrex::lower
