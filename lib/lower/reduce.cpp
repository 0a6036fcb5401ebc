// Aggregates.
#include "lib/lower/reduce.h"

#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/lower/operations.h"
#include "lib/program/dense/column_totals.h"
#include "lib/program/dense/document_steps.h"
#include "lib/program/dense/reduce_columns_step.h"
#include "lib/program/dense/reduce_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

// Floats that are added from the first to the last. The bound of docs/numerics.md allows so many.
constexpr std::size_t most_added_one_by_one = 256;

// All cells of a document to one number.
Value reduce_documents(Context &context, const ir::Node &node, const Aggregation &aggregation, Value &operand,
                       const TensorType &from) {
    const auto &[aggregator, in_float] = aggregation;
    const std::optional<kernels::ReduceOperation> operation = row_operation(aggregator, in_float);
    const std::size_t length = from.block_cells();
    const kernels::ReduceKernel *const kernel =
        operation ? kernels::choose_reduce(*operation, operand.cell_type, typical_blocks * length, context.isa())
                  : nullptr;
    const IndexedCells cells =
        kernel != nullptr ? context.in_order(operand, from, kernel->type) : IndexedCells{operand.index, CellsSlot()};
    const Target to = context.target(node.stage, IndexSlot(), *node.type, CellType::f64);
    context.add_step<ReduceDocumentsStep>(node.stage, cells, length, aggregator, kernel, to.cells);
    return context.written(to, CellType::f64);
}

}  // namespace

Value reduce_value(Context &context, const ir::Node &node, const Aggregation &aggregation, Value &operand,
                   const TensorType &from) {
    const auto &[aggregator, in_float] = aggregation;
    const CellType result_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    const bool reduces_mapped = from.mapped_count() != node.type->mapped_count();

    if (reduces_mapped && node.type->is_scalar()) {
        return reduce_documents(context, node, aggregation, operand, from);
    }

    const std::optional<std::size_t> length = row_length(from, *node.type);
    if (const auto operation = row_operation(aggregator, in_float); length && operation) {
        const kernels::ReduceKernel *const kernel =
            kernels::choose_reduce(*operation, operand.cell_type, *length, context.isa());
        const IndexedCells cells = context.in_order(operand, from, kernel->type);
        const BlockUse rows{cells.cells,
                            cells.index ? BlockAccess::same : BlockAccess::dense,
                            {},
                            block_bytes(from) / byte_size(from.cell_type()) * byte_size(kernel->type)};
        const Target to = context.target(node.stage, cells.index, *node.type, result_type);
        context.add_step<ReduceRowsStep>(node.stage, rows, node.type->block_cells(), *length, aggregator, kernel,
                                         result_type, to);
        return context.converted(context.written(to, result_type), *node.type, node.type->cell_type());
    }

    ReduceShape shape;
    for (const Dimension &dimension : from.dimensions()) {
        if (dimension.is_indexed()) {
            shape.nest.add(dimension.size, {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                                            static_cast<std::ptrdiff_t>(stride_of(from, dimension.name))});
        }
    }
    const bool is_median = aggregator == Aggregator::median;
    const bool adds_few = !reduces_mapped && from.block_cells() <= most_added_one_by_one * node.type->block_cells();
    const std::optional<kernels::ReduceOperation> operation = row_operation(aggregator, in_float && adds_few);
    const kernels::ReduceKernel *const by_columns =
        operation && !is_median && ColumnNest::fits(shape.nest)
            // A call takes all rows: what the first cell of each costs has no say.
            ? kernels::choose_reduce(*operation, operand.cell_type, from.block_cells(), context.isa())
            : nullptr;
    shape.operand_type = by_columns != nullptr ? by_columns->type : decay(operand.cell_type);
    const IndexedCells cells = context.in_order(operand, from, shape.operand_type);
    shape.operand_index = cells.index;
    shape.operand = cells.cells;
    shape.operand_cells = from.block_cells();
    shape.target_type = result_type;
    shape.target_cells = node.type->block_cells();
    IndexSlot index = reduces_mapped ? IndexSlot() : cells.index;
    if (reduces_mapped && node.type->has_mapped()) {
        std::vector<std::uint16_t> kept;
        for (const std::string &name : mapped_names(*node.type)) {
            kept.push_back(label_position(from, name));
        }
        const auto &[group_index, groups] =
            context.addresses().grouped(cells.index, from.mapped_count(), std::move(kept));
        index = group_index;
        shape.groups = groups;
    }
    shape.target = context.target(node.stage, index, *node.type, result_type);
    const Target to = shape.target;
    if (by_columns != nullptr) {
        context.add_step<ReduceColumnsStep>(node.stage, std::move(shape), aggregator, by_columns);
    } else {
        const kernels::ReduceKernel *const median =
            is_median ? kernels::choose_reduce(kernels::ReduceOperation::median, CellType::f64, shape.operand_cells,
                                               context.isa())
                      : nullptr;
        context.add_step<ReduceStep>(node.stage, std::move(shape), aggregator, median);
    }
    return context.converted(context.written(to, result_type), *node.type, node.type->cell_type());
}

Value lower_reduce(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const bool in_float =
        context.value(operand).cell_type == CellType::f32 && context.precision().adds_in_float(operand);
    const Aggregation aggregation{node.as<ir::Reduce>().aggregator, in_float};
    return reduce_value(context, node, aggregation, context.value(operand), context.type(operand));
}

}  // namespace tenrex::lower
