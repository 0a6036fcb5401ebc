// Matrices in the order in which the kernel of a product reads their columns.
#include <utility>

#include "lib/ir/contraction.h"
#include "lib/lower/contract_matmul.h"
#include "lib/lower/matmul_cost.h"
#include "lib/lower/operations.h"
#include "lib/lower/weights.h"
#include "lib/program/library/pack_steps.h"
#include "lib/types/block_layout.h"
#include "optimizer/make_nodes.h"

namespace tenrex::lower {

using namespace program;

Value lower_pack_matrix(Context &context, const ir::Node &node) {
    const ir::PackMatrix &own = node.as<ir::PackMatrix>();
    const ir::NodeId matrix = node.operands[0];
    ir::ContractionDimensions::Group dimensions{own.dimensions, own.batch, {}, {}};
    for (const Dimension &dimension : node.type->dimensions()) {
        const bool is_named =
            optimizer::contains(own.dimensions, dimension.name) || optimizer::contains(own.batch, dimension.name);
        if (dimension.is_indexed() && !is_named) {
            dimensions.columns.push_back(dimension.name);
        }
    }
    const kernels::MatmulCells cells = matmul_cells(own.row_type, node.type->cell_type(), node.stage, own.cell_type,
                                                    cells_of(*node.type, own.dimensions));
    const kernels::MatmulKernel *const kernel = choose_kernel(context, matrix, dimensions, cells);
    const CellsSlot packed = context.new_cells(node.stage);
    if (auto weights = weights_of(context, matrix, dimensions, *kernel)) {
        context.add_step<PackWeightsStep>(node.stage, std::move(weights->tensor), weights->convert, weights->shape,
                                          kernel, packed, context.plan().weights);
        return {{}, packed, node.type->cell_type(), {}, {}, kernel};
    }
    if (!context.is_needed(matrix)) {
        add_value(context, matrix);
    }
    const Columns columns = columns_of(context, matrix, dimensions, *kernel);
    // Looking for zeros pays for what is packed once.
    const bool has_maps = node.stage == Stage::constant && !columns.index;
    context.add_step<PackMatrixStep>(node.stage, columns.cells, columns.index, columns.shape, kernel, packed, has_maps);
    return {columns.index, packed, node.type->cell_type(), {}, columns.index, kernel};
}

}  // namespace tenrex::lower
