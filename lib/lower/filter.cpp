// The blocks for which another value is not zero.
#include "lib/lower/operations.h"
#include "lib/program/sparse/filter_step.h"

namespace tenrex::lower {

using namespace program;

Value lower_filter(Context &context, const ir::Node &node) {
    const Joined joined = context.addresses().join(node.operands, node.stage);
    const BlockUse keep = context.use(node.operands[1], CellType::f64, joined.operands[1]);
    const IndexSlot index = context.new_index(node.stage);
    const MapSlot map = context.new_map(node.stage);
    context.add_step<FilterStep>(node.stage, joined.index, node.type->mapped_count(), keep, index, map);
    context.addresses().note_part(index, joined.index, node.type->mapped_count(), map);
    Value result = context.value(node.operands[0]);
    context.note_use(result.cells);
    result.index = index;
    result.map = joined.operands[0].access == BlockAccess::mapped
                     ? context.addresses().compose(index, map, joined.operands[0].map)
                     : map;
    return result;
}

}  // namespace tenrex::lower
