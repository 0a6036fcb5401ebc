// The blocks of two nodes with the labels that both have.
#include "lib/lower/matching.h"

#include "lib/lower/context.h"
#include "lib/program/sparse/matches.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

Matcher::Side side_of(Context &context, ir::NodeId node, ir::NodeId other) {
    const NamedIndex own = context.addresses().index_of(node);
    Matcher::Side side{own.slot, own.names.size(), {}};
    for (const std::string &name : own.names) {
        if (context.type(other).find(name)) {
            side.key.push_back(label_position(context.type(node), name));
        }
    }
    return side;
}

}  // namespace

Matcher matcher_of(Context &context, ir::NodeId outer, ir::NodeId inner) {
    const NamedIndex a = context.addresses().index_of(outer);
    const NamedIndex b = context.addresses().index_of(inner);
    if (context.addresses().is_join_known(a, b)) {
        const auto [joined, to_outer, to_inner] = context.addresses().join_pair(a, b);
        return {side_of(context, outer, inner), side_of(context, inner, outer),
                Matcher::Joined{joined.slot, to_outer, to_inner}};
    }
    const Matcher::Side inner_side = side_of(context, inner, outer);
    const TableSlot table = context.addresses().early_table_of(inner_side.index, inner_side.width, inner_side.key);
    return {side_of(context, outer, inner), inner_side, table};
}

}  // namespace tenrex::lower
