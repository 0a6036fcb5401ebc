// Blocks of either of two values.
#include "lib/lower/operations.h"
#include "lib/program/sparse/merge_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_merge(Context &context, const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells a = context.in_order(node.operands[0], cell_type);
    const IndexedCells b = context.in_order(node.operands[1], cell_type);
    const IndexedCells both = context.in_order(node.operands[2], cell_type);
    const Target to = context.target(node.stage, context.new_index(node.stage), *node.type, cell_type);
    if (const auto maps = context.addresses().maps_of_join(a.index, b.index, both.index, mapped_names(*node.type))) {
        context.add_step<MergeJoinedStep>(node.stage, a, b, both, maps->first, maps->second, node.type->mapped_count(),
                                          to);
    } else {
        context.add_step<MergeStep>(node.stage, a, b, both, node.type->mapped_count(), to);
    }
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
