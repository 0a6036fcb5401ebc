// A scalar function of each cell.
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/lower/elementwise.h"
#include "lib/lower/operations.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

using namespace program;

Value lower_apply(Context &context, const ir::Node &node) {
    return elementwise(context, node, kernels::operation_of(node.as<ir::Apply>().function),
                       context.operands(node.operands), computed_in(context, node));
}

}  // namespace tenrex::lower
