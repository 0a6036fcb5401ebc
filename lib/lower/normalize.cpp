// Rows that are normalized.
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/lower/operations.h"
#include "lib/program/aggregators.h"
#include "lib/program/library/normalize_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

kernels::NormalizeOperation operation_of(ir::Normalization kind) {
    switch (kind) {
        case ir::Normalization::softmax:
            return kernels::NormalizeOperation::softmax;
        case ir::Normalization::stable_softmax:
            return kernels::NormalizeOperation::stable_softmax;
        case ir::Normalization::by_length:
            return kernels::NormalizeOperation::by_length;
        case ir::Normalization::standardize:
            return kernels::NormalizeOperation::standardize;
    }
    __builtin_unreachable();
}

}  // namespace

Value lower_normalize(Context &context, const ir::Node &node) {
    const ir::Normalize &own = node.as<ir::Normalize>();
    const CellType cell_type = node.type->cell_type();
    const std::size_t length = cells_of(*node.type, own.dimensions);
    const IndexedCells cells = context.in_order(node.operands[0], cell_type);
    const auto factor = [&](bool is_there, std::size_t operand) -> std::optional<NormalizeStep::Factor> {
        if (!is_there) {
            return std::nullopt;
        }
        const ir::NodeId id = node.operands[operand];
        return NormalizeStep::Factor{context.own_use(id, cell_type), context.type(id).block_cells() != length};
    };
    const std::optional<NormalizeStep::Factor> gain = factor(own.has_gain, 1);
    const std::optional<NormalizeStep::Factor> bias = factor(own.has_bias, node.operands.size() - 1);
    const Target to = context.target(node.stage, cells.index, *node.type, cell_type);
    const BlockUse rows{cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, to.bytes};
    kernels::RowNormalization call;
    call.length = length;
    call.scale = own.scale;
    call.divisor = own.divisor;
    call.epsilon = own.epsilon;
    call.root_epsilon = own.root_epsilon;
    // A single sum is a double, others have the cell type of the cells.
    call.rounds_sums = own.dimensions.size() != node.type->dimensions().size();
    context.add_step<NormalizeStep>(
        node.stage, NormalizeStep::Shape{rows, node.type->block_cells() / length, gain, bias, to}, call,
        kernels::choose_normalize(operation_of(own.kind), cell_type, length, context.isa()));
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
