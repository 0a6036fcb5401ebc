// A kernel over the cells of operands that are joined.
#include "lib/lower/elementwise.h"

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/lower/context.h"
#include "lib/program/dense/elementwise_step.h"
#include "lib/program/layout.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

using namespace program;

Value elementwise(Context &context, const ir::Node &node, kernels::ElementwiseOperation operation,
                  std::span<const Operand> operands, CellType cell_type) {
    const Joined joined = context.addresses().join(operands, node.stage);
    std::vector<BlockUse> uses;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        uses.push_back(context.use(operands[i], cell_type, joined.operands[i]));
    }
    LoopNest<4> nest = joined_nest<4>(*node.type, operands);
    const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
    context.add_step<ElementwiseStep>(node.stage, context.elementwise_kernel(operation, cell_type), std::move(uses),
                                      std::move(nest), to, std::string(kernels::name(operation)));
    return context.converted(context.written(to, cell_type), *node.type, node.type->cell_type());
}

// Numbers that only run time knows may have no nearest floats, which a region looks into; here all is computed in
// double.
CellType computed_in(const Context &context, const ir::Node &node) {
    return context.precision().has_unknown_numbers(node) ? CellType::f64 : context.precision().computed_in(node);
}

}  // namespace tenrex::lower
