// The same cells in another cell type.
#include "lib/lower/operations.h"

namespace tenrex::lower {

using namespace program;

Value lower_cast(Context &context, const ir::Node &node) {
    return context.converted(context.value(node.operands[0]), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
