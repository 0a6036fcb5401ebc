// Zeros for addresses that are missing.
#include "lib/lower/operations.h"
#include "lib/program/sparse/fill_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_fill(Context &context, const ir::Node &node) {
    const CellType cell_type = context.value(node.operands[0]).cell_type;
    const IndexedCells operand = context.in_order(node.operands[0], cell_type);
    const TensorType &wanted = context.type(node.operands[1]);
    if (operand.index == context.value(node.operands[1]).index) {
        return context.value(node.operands[0]);  // nothing is missing
    }
    std::vector<std::uint16_t> positions;
    for (const std::string &name : mapped_names(*node.type)) {
        positions.push_back(label_position(wanted, name));
    }
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    context.add_step<FillStep>(node.stage, operand, context.value(node.operands[1]).index, wanted.mapped_count(),
                               std::move(positions), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
