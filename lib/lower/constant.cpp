// Constants: the plan has their values.
#include "lib/lower/operations.h"

namespace tenrex::lower {

using namespace program;

Value lower_constant(Context &context, const ir::Node &node) {
    ConstantValue &value = context.plan().constants.emplace_back();
    value.tensor = node.is_number() ? std::make_shared<Tensor>(node.number()) : node.as<ir::Constant>().value;
    value.cells = context.new_cells(Stage::constant);
    if (node.type->has_mapped()) {
        value.index = context.new_index(Stage::constant);
    }
    return {value.index, value.cells, node.type->cell_type(), {}, value.index};
}

}  // namespace tenrex::lower
