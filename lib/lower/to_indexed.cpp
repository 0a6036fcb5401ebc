// Mapped dimensions become indexed ones.
#include <tuple>

#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/to_indexed_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_to_indexed(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = context.type(operand);
    const CellType cell_type = context.value(operand).cell_type;
    const IndexedCells cells = context.in_order(operand, cell_type);
    std::vector<ToIndexedStep::Becomes> becomes;
    std::vector<std::uint16_t> kept;
    CopyNest nest(byte_size(cell_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        const bool was_mapped = from.dimensions()[*from.find(dimension.name)].is_mapped();
        const std::size_t stride = stride_of(*node.type, dimension.name);
        if (dimension.is_mapped()) {
            kept.push_back(label_position(from, dimension.name));
        } else if (was_mapped) {
            becomes.push_back({label_position(from, dimension.name), stride});
        } else {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride),
                     static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
        }
    }
    IndexSlot index;
    MapSlot groups;
    if (!kept.empty()) {
        std::tie(index, groups) = context.addresses().grouped(cells.index, from.mapped_count(), std::move(kept));
    }
    const Target to = context.target(node.stage, index, *node.type, cell_type);
    context.add_step<ToIndexedStep>(node.stage, cells, from.mapped_count(), from.block_cells() * byte_size(cell_type),
                                    groups, std::move(becomes), std::move(nest), byte_size(cell_type), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
