// A product that a sum adds to, in one kernel.
#include <array>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/lower/elementwise.h"
#include "lib/lower/operations.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

using namespace program;

Value lower_multiply_add(Context &context, const ir::Node &node) {
    const std::vector<Operand> operands = context.operands(node.operands);
    const CellType cell_type = computed_in(context, node);
    if (cell_type == node.type->cell_type()) {
        return elementwise(context, node, kernels::ElementwiseOperation::multiply_add, operands, cell_type);
    }
    // The product is a float before it is added.
    const std::span<const Operand> factors = std::span(operands).first(2);
    const Operand product{elementwise(context, node, kernels::ElementwiseOperation::multiply, factors, cell_type),
                          node.type};
    return elementwise(context, node, kernels::ElementwiseOperation::add, std::array{product, operands[2]}, cell_type);
}

}  // namespace tenrex::lower
