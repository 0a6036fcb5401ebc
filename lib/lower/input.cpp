// Inputs: the plan has a port for each.
#include "lib/lower/operations.h"

namespace tenrex::lower {

using namespace program;

Value lower_input(Context &context, const ir::Node &node) {
    const Port &port = context.plan().inputs[node.as<ir::Input>().index];
    return {port.index, port.cells, node.type->cell_type(), {}, port.index};
}

}  // namespace tenrex::lower
