// A value with the addresses and dimensions of another.
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/move/copy_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_join_addresses(Context &context, const ir::Node &node) {
    const Joined joined = context.addresses().join(node.operands, node.stage);
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = node.type->cell_type();
    if (node.type->block_cells() != context.type(operand).block_cells()) {
        const BlockUse from = context.use(operand, cell_type, joined.operands[0]);
        std::vector<CopyPart> parts;
        parts.push_back({from, CopyNest(*node.type, context.type(operand), context.isa()), 0, 0});
        const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
        context.add_step<CopyStep>(node.stage, std::move(parts), to);
        return context.written(to, cell_type);
    }
    Value result = context.converted(context.value(operand), context.type(operand), cell_type);
    if (joined.operands[0].access == BlockAccess::mapped) {
        result.index = joined.index;
        result.map = joined.operands[0].map;
        return result;
    }
    if (joined.operands[0].access == BlockAccess::same || !joined.index) {
        return result;
    }
    // A dense operand that gets addresses: each of them has a copy.
    const BlockUse from = context.use(operand, cell_type, joined.operands[0]);
    std::vector<CopyPart> parts;
    parts.push_back({from, CopyNest(*node.type, context.type(operand), context.isa()), 0, 0});
    const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
    context.add_step<CopyStep>(node.stage, std::move(parts), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
