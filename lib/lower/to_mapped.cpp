// Indexed dimensions become mapped ones.
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/to_mapped_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

BlockUse use_of(const IndexedCells &cells, std::size_t bytes) {
    return {cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, bytes};
}

}  // namespace

Value lower_to_mapped(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = context.type(operand);
    const CellType cell_type = context.value(operand).cell_type;
    const IndexedCells cells = context.in_order(operand, cell_type);
    std::vector<ToMappedStep::ResultLabel> labels;
    CopyNest nest(byte_size(cell_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        const Dimension &source = from.dimensions()[*from.find(dimension.name)];
        const std::size_t stride = stride_of(from, dimension.name);
        if (dimension.is_indexed()) {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride));
        } else if (source.is_indexed()) {
            labels.push_back({0, source.size, stride});
        } else {
            labels.push_back({label_position(from, dimension.name), 0, 0});
        }
    }
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    context.add_step<ToMappedStep>(node.stage, use_of(cells, from.block_cells() * byte_size(cell_type)), cells.index,
                                   from.mapped_count(), std::move(labels), std::move(nest), byte_size(cell_type), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
