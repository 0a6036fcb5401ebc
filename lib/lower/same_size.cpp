// Values whose open dimensions are to have the same size.
#include <algorithm>

#include "lib/lower/operations.h"
#include "lib/program/sparse/row_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_same_size(Context &context, const ir::Node &node) {
    const IndexSlot first = context.value(node.operands[1]).index;
    const IndexSlot second = context.value(node.operands[2]).index;
    const auto &[what, first_name, second_name] = node.as<ir::SameSize>();
    const MapSlot map = first.stage == second.stage ? MapSlot() : context.new_map(std::max(first.stage, second.stage));
    context.add_step<SameSizeStep>(node.stage, first, second, SizeNames{what, first_name, second_name}, map);
    Value value = context.value(node.operands[0]);
    if (second.stage > first.stage) {
        context.addresses().note_part(second, first, 1, map);
    } else if (value.index == second && !value.map) {
        // The same rows, under the numbers that the others have.
        value.index = first;
        value.map = map;
        value.cells_index = map ? second : first;
        return value;
    }
    const auto [index, copies] =
        context.addresses().at_stage(value.index, context.type(node.operands[0]).mapped_count(), node.stage);
    if (copies) {
        value.map = value.map ? context.addresses().compose(index, copies, value.map) : copies;
        value.index = index;
    }
    return value;
}

}  // namespace tenrex::lower
